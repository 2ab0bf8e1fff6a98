### Words of what a comparison comes to.

log_prob = 译文的 log p { $value }
moved_title = 变动最大的头
moved_help = 这个头的权重中转移到其他词元的比例，取双方共有各行的平均。单击查看。
moved = { $head }：{ $share }%
other_shape = 两个模型的层数或头数不同：只能并排显示，不能相减。
