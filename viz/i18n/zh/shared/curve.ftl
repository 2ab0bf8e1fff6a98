### Words of the slider through a small model's training, on Explore.

show = 注意力是怎样形成的
about = 同一个句子在一个英法小模型（{ $encoder }+{ $decoder } 层，{ $heads } 个头）中的样子：模型共训练 { $steps } 步，这里保存了其中 { $n } 个时刻。拖动滑块查看；第 0 步时权重是随机的。
long = 这个句子对小模型来说太长：请选一个不超过 { $n } 个词元的句子。
