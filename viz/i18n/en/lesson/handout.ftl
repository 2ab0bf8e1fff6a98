### The first and the last pages of the teacher's outline.

goals = After the lesson students can
goals_list = say what a token is, and why a model needs positions|compute an attention weight from q and k by hand, and say where q, k and v come from|say which words look at which in the three kinds of attention|say what a layer does besides attention, and how a vector becomes a word|explain why the decoder may not see later words, and what training reduces|test a claim about a head by an experiment
prior = What they need to know
prior_text = Adding and multiplying decimal and negative numbers, percentages, powers, and what a logarithm is. No programming, no matrices, and no knowledge of neural networks.
plan = Plan
plan_head = minutes of 90|minutes of 45|scene|new words|what most of the class should find
words = New words.
board = For the blackboard
board_lines = score = q·k / √dₖ|weights = softmax(scores): positive, and each row adds up to 1|result of a head = sum of weight × v|a layer: vector + result of attention, then + result of the feed-forward network|loss = mean of −ln p of the right tokens|encoder: all words see all words; decoder: a word sees only earlier ones; cross-attention: the translation sees the sentence|a weight says where a head looks; an experiment says whether it matters
quiz = The quiz before the lesson, and the one after it; right answers in bold
