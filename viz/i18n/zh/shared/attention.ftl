### Words of the attention explorer.


## Kinds

kind = 注意力类型
encoder_self = 编码器自注意力
decoder_self = 解码器自注意力
cross = 交叉注意力
short_encoder_self = 编码器
short_decoder_self = 解码器
short_cross = 交叉
source = 源句
target = 译文
token_end = 结束
token_start = 开始

## Toolbar

toolbar = 注意力的读法
controls = 调节
more = 更多
view = 视图
map = 热图
lines = 连线
text = 文本
rows_are = 每行是
fed = 输入的词元
predicted = 预测的词元
unit = 单位
pieces = 词元
words = 词
combine = 多个头
mean = 平均
max = 最大
sum = 求和
together = 固定的词元
orientation = 方向
vertical = 纵向
horizontal = 横向
compare = 比较
side = 并排
difference = 差值
keys = 快捷键
close = 关闭
end_presenting = 结束演示
presenter = 投影大字模式
remove = 移除
pinned_row = 行
pinned_column = 列

## Sinks

sinks = 汇点
sinks_aside = 撇开汇点
sinks_shown = 显示
sinks_greyed = 置灰
sinks_removed = 去除
sink_begin = 句首
sink_end = 句末
sink_punctuation = 标点
is_sink = 汇点：置灰，不计入色阶
about_sinks = 注意力汇点：没有多少要传递时，头常把权重放在这些词元上。在最后几行，这些权重可能决定句子结束。去除后，每行其余部分重新归一，使其和为 1。

## Scale

scale_menu = 色阶
scale = 最深的颜色
scale_row = 每行
scale_head = 每头
scale_common = 统一
about_scale_row = 每行最大的权重为最深的颜色。
about_scale_head = 每个头最大的权重为最深的颜色。
about_scale_common = 所有图中最深的颜色均为权重 1，便于比较各头。
curve = 曲线
curve_linear = 线性
curve_sqrt = 平方根
palette = 调色板
palette_hue = 单色
palette_viridis = viridis
palette_cividis = cividis
palette_grey = 灰度
threshold = 阈值

## Weights

weighting = 权重
weighting_raw = 原始
weighting_value_weighted = × 值向量范数
weighting_rollout = 注意力展开（rollout）
weighting_gradient = × 梯度
weighting_about_raw = softmax 权重本身。
weighting_about_value_weighted = 权重乘以所传递向量的长度：向量很短时，大权重的影响也很小。
weighting_about_rollout = 逐层相乘的注意力。每层有一半权重留在词元自身，对应残差连接。
weighting_about_gradient = 权重乘以所选词的对数概率对权重的梯度。
computing = 正在计算这些权重……
paper = 论文

## Export

export = 导出
export_files = 数据与文件…
picture = 图片
transparent = 透明背景
about_picture = 当前视图，附说明文字。
caption_removed = 已去除汇点
caption_threshold = 权重不小于 { $threshold }

## Grid

all_heads = 所有头
grid_order = 层向下，头向右
grid_sorted = 已排序
grid_hint = 头下方的条：{ $metric }。单击打开，Shift 单击合并，方向键移动。
grid_hint_long = 每张小图都是按词元块显示的全文。单击打开一个头，方向键移动。
long_words = 指向图中的一格，查看它的权重。
strongest_links_long = 方框内最强的连接
long_place = 第 { $first_row }–{ $last_row } 行（共 { $rows } 行），第 { $first_column }–{ $last_column } 列（共 { $columns } 列）
long_how = 拖动方框，或用方向键移动。图中每个点是 { $block } × { $block } 个词元的块；下面的图逐个词元显示。
long_label = 这个头在全文上的注意力。图中显示第 { $first_row } 至 { $last_row } 行（共 { $rows } 行）、第 { $first_column } 至 { $last_column } 列（共 { $columns } 列）；用方向键移动。
grid_hint_plain = 单击打开，Shift 单击合并，方向键移动。
grid_label = { $kind }的所有头：{ $layers } 层，每层 { $heads } 个头
sort_by = 排序：
sort_order = 层
sort_entropy = 熵最低
sort_confidence = 集中度
sort_maximum = 最大值
sort_offset = 看后文
sort_previous = 前一词元
sort_same = 自身
sort_next = 后一词元
sort_sink_share = 落在汇点
sort_diagonality = 对角性
sort_effect = 关闭影响最大
bar_entropy = 熵
bar_confidence = 集中度（每行最大权重的平均）
bar_maximum = 最大权重
bar_offset = 平均距离
bar_previous = 落在前一词元的份额
bar_same = 落在自身的份额
bar_next = 落在后一词元的份额
bar_sink_share = 落在汇点的份额
bar_diagonality = 对角程度
bar_effect = 关闭后对数概率的变化

## Heads

head_name = 第 { $layer } 层第 { $head } 头
heads_mean = { $count } 个头的平均
heads_max = { $count } 个头的最大值
heads_count = { $count } 个头
head_is_off = 已关闭
do_switch_off = 关闭这个头
do_switch_on = 打开这个头
do_open_head = 查看内部
label_previous = 前一词元
label_same = 自身
label_next = 后一词元
label_sinks = 主要在汇点
label_diagonal = 对角
label_uniform = 均匀分布
metric_entropy = 熵
metric_offset = 平均偏移
metric_previous = 前一词元
metric_same = 自身
metric_next = 后一词元
metric_sink_share = 汇点
metric_confidence = 集中度
metric_maximum = 最大值
metric_diagonality = 对角性
metric_effect = 若关闭
metric_strongest = 最强
about_entropy = 各行的平均。0 表示全部权重在一个词元上。
about_offset = 与本行位置平均相距几个词元；负值表示看前文。
about_previous = 前一词元的平均权重。
about_same = 词元自身的平均权重。
about_next = 后一词元的平均权重。
about_sink_share = 特殊词元与标点的平均权重。
about_confidence = 每行最大权重的平均。
about_maximum = 这个头的最大权重。
about_diagonality = 1：权重全在对角线上。约 0.5：权重均匀分布。
about_effect = 译文对数概率的变化。
corpus_entropy = 熵（比特）
corpus_sink_share = 汇点所占份额
corpus_maximum = 最大权重
corpus_confidence = 集中度（每行最大权重的平均）
corpus_offset = 偏移（词元）
corpus_previous = 前一个词元的权重
corpus_same = 同一位置的权重
corpus_next = 后一个词元的权重
corpus_diagonality = 对角程度
corpus_value_weighted_share = 在本层输出中的份额
corpus_value_weighted_sink_share = 按值加权的汇点份额
corpus_about_entropy = 0 比特：只看一个词元；比特越多越分散。每格是各句的中位数；指向它可看 5–95% 的范围。
corpus_about_sink_share = 头的权重落在标点和特殊词元上的份额。各句的中位数。
corpus_about_maximum = 每句注意力图中的最大权重。各句的中位数。
corpus_about_confidence = 头有多集中：每行最大权重的平均（Voita 等，2019）。
corpus_about_offset = 权重平均落在哪里：负值向前文看，正值向后文看。
corpus_about_previous = 落在查询前一个词元上的权重。
corpus_about_same = 落在查询自身位置上的权重。
corpus_about_next = 落在查询后一个词元上的权重。
corpus_about_diagonality = 1：权重沿对角线分布。约一半：不沿对角线。
corpus_about_value_weighted_share = 这个头在本层各头写入的内容中占多少，按加权值向量的范数计算（Kobayashi 等，2020）。
corpus_about_value_weighted_sink_share = 把每个权重乘以值向量长度后，汇点所占的份额。汇点的值向量往往很短。
corpus_about_weight = 按词元类型：每个词元所在行的最大权重。各词元的中位数。
bits = { $n } 比特
on_second = 第二个：{ $value }
on_set = 句集上 { $value }

## How to read

how_encoder_self_plain = 每一行：左侧的词在本句中看向哪里。
how_decoder_self_predicted = 每一行：解码器预测左侧的词时回看哪些先前的词。
how_decoder_self_fed = 每一行：解码器刚读入左侧的词时回看哪些先前的词。
how_decoder_self_plain = 每一行：左侧的词回看哪些先前的词。
how_cross_predicted = 每一行：解码器预测左侧的词时看向源句的哪里。
how_cross_fed = 每一行：解码器刚读入左侧的词时看向源句的哪里。
how_cross_plain = 每一行：左侧的词看向源句的哪里。
how_difference = 第二个减第一个，仅限对应的词元；划线的格没有对应。
how_lines = 连线把词与它所看的词连起来；权重越大，线越浓。指向一个词可读出其权重。
how_text = 指向一个词：它所看的词会着色。
how_words = 词元合并为词：权重对键求和、对查询取平均，每行之和仍为 1。
how_removed = 已去除汇点：平均占权重的 { $share }。每行重新归一，使其和为 1，只为便于观看；只看汇点的行是空的。
how_max = 各头取最大：每行之和不再为 1。
how_threshold = 低于 { $threshold } 的权重不绘制。
row_removed = 此行 { $share } 在汇点上
not_yet = 尚不存在：后面的词元
not_computed = 未计算：两个词元相距太远，此层不计算
no_counterpart = 另一侧没有对应
not_numbers = { $heads } 的权重不是数字（NaN 或无穷）。检查点的权重已损坏或溢出：请打开其他检查点，或重新从训练中保存。

## Map, lines, table

map_label = { $kind }，{ $head }：{ $rows } 行，{ $columns } 列。最强的连接见下表。
zoom = 缩放
zoom_in = 放大
zoom_out = 缩小
zoom_fit = 整图
looks_from = 从
looks_at = 看向
lines_capped = 共 { $cells } 条线，显示最强的 { $drawn } 条。
heads_capped = 共 { $count } 个头，显示前 { $shown } 个。
matters_ask = 这里哪些头起作用？
matters_running = 正在逐个关闭：{ $done }/{ $total }……
matters_some = 单独关闭时，这 { $total } 个头里有 { $n } 个会改变这句译文。
matters_none = 这 { $total } 个头单独关闭，都不会改变这句译文。
matters_example = 没有 { $head }，“{ $before }”变成“{ $after }”。
matters_without = 没有这个头：{ $text }
picks = “{ $seen }”→“{ $said }”
numbers = 数值
words_writing = 写 { $query } 时，这个头看 { $key }：{ $share }
words_after = 读到 { $query } 之后，这个头看 { $key }：{ $share }
words_reading = 读 { $query } 时，这个头看 { $key }：{ $share }
words_off = 这个头已关闭：它读到的都不起作用。对于 { $query }，它的权重仍落在 { $key }：{ $share }
words_many = { $query } 看 { $key }：{ $share }
strip = 第 { $text } 条
strongest_links = 最强的连接
as_table = 以表格显示全部权重
table_from = 从
table_to = 看向
table_weight = 权重

## Keys

key_heads = 上一个或下一个头
key_layers = 上一层或下一层
key_kinds = 编码器、解码器、交叉
key_views = 热图、连线、文本
key_words = 词元或词
key_rows = 行：输入或预测
key_sinks = 汇点：显示、置灰、去除
key_zoom = 放大、缩小、整图
key_table = 以表格显示全部权重
key_tokens = 逐个词元
key_pin = 固定词元
key_escape = 关闭或复位：菜单、固定、头、缩放
key_present = 投影大字模式
key_help = 此列表
