### Words of the map of the whole model.

label = Map of the model
lead = Follow the token that is being predicted:
step = Token being predicted
read = From bottom to top: the encoder turns the source into vectors; the decoder reads them (dashed) and the translation so far, and predicts “{ $predicted }”. Each small square is a head; the stronger its colour, the larger its largest weight. Click a word to follow it.
follow = Follow “{ $token }”
hint = Point at a part to read what it does; click to open it.
lead_encoder = Follow a token:
read_encoder = From bottom to top: each layer lets every token collect information from all the others, then works on each by itself. The small squares are the heads; the stronger the colour, the larger the largest weight of “{ $token }”. Click a word to follow it.
read_decoder = From bottom to top: at “{ $token }” each layer collects information from this token and those before it; the last layer's vector predicts “{ $predicted }”. The small squares are the heads; the stronger the colour, the larger their largest weight. Click a word to follow it.
read_prompt = From bottom to top: at “{ $token }” each layer collects information from this token and those before it. Your text goes on with “{ $predicted }”; above the stack is what the model expected. The small squares are the heads; the stronger the colour, the larger their largest weight. Click a word to follow it.
encoder_alone = Encoder: reads the text
decoder_alone = Decoder: reads the text and continues it
text_alone = text so far
tokens_alone = tokens of the text
attention_alone = Self-attention
masked_alone = Masked self-attention
embedding_alone = Embedding
vectors = One vector for each token
masked_output = Masked-LM head, softmax → hidden tokens
about_attention_alone = Self-attention: each token collects information from all tokens of the text. Click to see its heads in Explore.
about_masked_alone = Masked self-attention: each token collects information from itself and the tokens before it. Click to see its heads in Explore.
about_embedding_alone = Each token's number selects a row of the embedding table. No vector of positions is added: this model uses positions inside attention. Click to see how.
about_vectors = What the encoder returns: one vector for each token, which further programs use. Click to see all heads.
about_masked_output = A score for every token of the vocabulary in each place. The model was trained to predict tokens that were hidden; click to hide one.
says_next = The layers run once over the text so far, and predict “{ $word }”.
run = Run the model
pause = Pause
says_encoder = The encoder reads all words at once, layer by layer.
says_bridge = Its result crosses the bridge to the cross-attention of every decoder layer.
says_word = The decoder runs once, from what is written so far, and predicts “{ $word }”.
encoder = Encoder: reads the source
decoder = Decoder: writes the translation
reads = source tokens
written = translation so far, fed to the decoder
self_attention = Self-attention
masked_attention = Masked self-attention
cross_attention = Cross-attention
feed_forward = Feed-forward
embedding = Embedding + position
memory = Result of the encoder → keys K and values V
output = Output matrix, softmax → next token
about_self_attention = Self-attention: each source token collects information from all source tokens. Click to see its heads in Explore.
about_masked_attention = Masked self-attention: each token of the translation collects information from itself and the tokens before it.
about_cross_attention = Cross-attention: queries come from the decoder, keys and values from the encoder's result. Here the decoder looks at the source.
about_feed_forward = Feed-forward: a small network applied to each token by itself, with the same parameters at every position.
about_embedding = Each token's number selects a row of the embedding table; the vector of its position is added. The table may come from another model (pretrained embeddings). In the three shipped models many tokens began with the embedding that they had in an earlier en-fr, and it was trained further together with the rest.
about_memory = One vector for each source token. Every decoder layer makes its own keys and values from them.
about_output = A score for every token of the vocabulary, turned into probabilities by a softmax: one classification per step. Many models use the embedding table again as output matrix (weight tying).
head = Head { $head }: the largest weight of a row is { $share } on average. Click to look inside.
head_at = Head { $head }: largest weight { $share }, on “{ $token }”. Click to look inside.
experts_title = Experts: which part of the network works on which token
experts_about = In the layers below there is not one feed-forward network but { $n }, called experts. For each token a router, a small linear layer, gives every expert a score and picks { $k ->
        [one] the best one
       *[other] the best { $k }
    }; only { $k ->
        [one] that one computes. Its output is multiplied by the weight shown.
       *[other] those compute. Their outputs are added, each times the weight shown.
    }
experts_not_followed = The choices of this model's router are shown. The code of transformers 5.23, which runs the model, does not follow them: it gives every token to its first two experts.
experts_layer = Layer with experts
experts_encoder = Encoder, layer { $layer }
experts_decoder = Decoder, layer { $layer }
experts_one = expert { $expert } with weight { $weight }
experts_and = {" and "}
experts_said = In this layer “{ $token }” takes { $experts }.
experts_full = In this layer “{ $token }” takes no expert: the one that its router chose had its full number of tokens.
experts_cell = { $row }, expert { $column }: weight { $value }
experts_tokens = tokens
experts_layers = layers
experts_columns = experts
experts_path = “{ $token }” in every layer
experts_read = Each row: the experts that this token takes, with their weights. Experts that no token takes here are left out.
sharing_title = Which weights are shared
sharing_elsewhere = The weights of this model are held by another library, so they are not compared here.
sharing_three = **Weight tying.** One table of { $n } numbers is used three times: for the tokens of the source, for the tokens of the translation, and as the output matrix. In the input, a token's row is its embedding. In the output, the dot product of the decoder's vector with this row is the token's score.
sharing_two = **Weight tying.** One table of { $n } numbers is used twice: for the tokens of the translation and as the output matrix. The source has a table of its own. In the output, the dot product of the decoder's vector with a token's row is the token's score.
sharing_one = **No weight tying.** In this model the output matrix is a table of its own, beside the { $n } numbers of the embeddings. Many other models use one table for both.
sharing_scale = The two uses need different scales. The entries of the table begin with a standard deviation of 1/√d_model = { $unit } (after training: { $now }). In the input they are multiplied by { $input_scale }; otherwise they would be small beside the position vectors. In the output a score is a sum of d_model products; because the entries are of size 1/√d_model, the scores stay of size 1 (standard deviation { $logits } for the first token here). With entries of size 1 it would be about { $without }, and the softmax would put nearly everything on one token. A model whose entries begin with size 1 therefore multiplies its output by 1/√d_model. The factor here is { $output_scale }.
sharing_pretrained = The table may also be taken from another model (**pretrained embeddings**, such as word2vec or GloVe) and then kept or trained further. This helps when there is little training text.
sharing_layers = **Layers share no weights.** They have the same structure, but each has its own weights. The table compares W_Q of the encoder's layers: 1 would be the same matrix, 0 means no similarity.
sharing_layer = layer { $layer }
kinds_title = Other kinds of attention
kinds =
    A Transformer uses soft, global attention, usually with several heads. Other kinds exist:
    
    - **Hard** attention takes one value only: Laboratory → Scoring → Soft and hard.
    - **Local** attention looks at a window around a position; a convolution does the same with fixed weights: Laboratory → Scoring → Convolution.
    - **Multi-dimensional** attention gives each dimension of a value its own weight. There is no example here.
    - **Hierarchical** attention first weighs words in a sentence, then sentences in a text. There is no example here.
    - **Memory networks** attend to stored facts several times in a row. There is no example here.
    - **Pointer networks** use the weights themselves as output: the answer is the position they point to. There is no example here.
