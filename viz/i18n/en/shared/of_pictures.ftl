### Words in place of others where the model in use reads the picture of a word: it translates nothing. The message decode_prefix
### stands for the key decode.prefix, and states the same values.

explore_effects_help = Switches every head off in turn and measures how the log-probability of the letters that are read changes.
overview_read = From bottom to top: the encoder turns the strips of the picture into vectors; the decoder reads them (dashed) and the letters so far, and predicts “{ $predicted }”. Each small square is a head; the stronger its colour, the larger its largest weight. Click a strip or a letter to follow it.
overview_decoder = Decoder: writes the letters
overview_written = letters so far, fed to the decoder
overview_about_masked_attention = Masked self-attention: each letter collects information from itself and the letters before it.
decode_max_length = Most letters
decode_prefix = The word begins with
decode_strip_decoder_self = Weights on the letters so far
decode_source_share = Picture or letters so far?
decode_source_share_how = How much each prediction changes when the picture or the letters so far are removed. This is measured, not read from weights.
decode_source_share_prefix = letters so far
decode_source_share_help = { $piece }: { $share } picture. Without the picture { $source } nats, without the letters so far { $prefix } nats
decode_heads_read = Each cell: the change in the log-probability of what is read (now { $log_prob }) when that head is switched off. Red: the head helped.
decode_heads_click = Click a head to switch it off and read the word again; click it again to switch it on again.
decode_reference_box = What is written
decode_reference_help = The word that the model should read.
decode_reference_own = Nobody has said yet what is written, so what the model reads is used. Write the word above.
decode_never_parts = By itself the model reads exactly this, so both modes are the same.
attention_target = Letters
attention_about_effect = Change in the log-probability of what is read.
attention_matters_none = None of these { $total } heads changes what is read when switched off alone.
sentence_target = Letters
sentence_said = Read: { $text }
sentence_verdict_said = Now read: { $after }. Before: { $before }.
doubt_loop = The model read “{ $text }” again and again, so it was stopped.
doubt_loop_ended = The model reads “{ $text }” again and again.
room_ask_next_after = Read so far: “{ $text }”. Which letter comes next?
room_ask_head = Which cross-attention head matters most for what is read?
room_maps_read = Each small map is a head of the cross-attention: rows are the letters, columns the strips of the picture.
frame_ask_causal_line = Put activations of one written word into another, strip by strip, and see which letter the model then reads.
causal_part_map = Two written words
causal_part_tokens = What each strip brings
causal_part_direct = Where a letter's score comes from
causal_pair = The other word is read “{ $first }”, the one above “{ $second }”. The first difference is **{ $word }** against **{ $rival }**: the margin log p({ $word }) − log p({ $rival }) is { $there } for the other word and { $here } for the one above.
causal_same = The model reads the same in both, so there is no difference to trace. Leave out another letter, or write another word.
causal_unchanged = On this page the model reads both words with greedy decoding. Of your changes, only patches apply here.
causal_unknown = not computed
causal_after = With the patch the model reads “{ $text }”. The log-probability of what it read before changes by { $change }. { $kind }, head { $place }, over what it read before:
causal_on_source = From the picture
causal_on_prefix = From the letters so far
causal_click = 100: the margin becomes that of the other word. 0: it stays. Click a cell to apply its patch on all pages; click again to undo it.
explore_other_text = Compare with the word above without
explore_compare_help = Compare two written words, or one word in two models, side by side or as a difference.
explore_corpus_help = Measures every head on the written words that come with the model.
explore_corpus_start = Measure on these words
sentence_verdict_same = The letters stay the same, each as probable as before.
sentence_verdict_probability = The letters stay the same; “{ $word }” is now { $after } probable instead of { $before }.
sentence_try_own = Write your own word
compare_log_prob = log p of what is read { $value }
explore_corpus_running = { $done } of { $total } words
explore_corpus_done =
    Measured on { $n } { $n ->
        [one] word
       *[other] words
    }, { $skipped } left out.
share_share_foot = See where a Transformer looks while it reads handwriting
