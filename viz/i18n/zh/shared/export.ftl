### Words of the export panel, of exported pages and of figures.

page_title = 注意力
page_made_by = 由 Regard 生成。本页自带全部内容，不加载任何外部资源。
head = 第 { $layer } 层，第 { $head } 头
weighting_value_weighted = 按值向量范数加权
weighting_rollout = 注意力展开（rollout）
weighting_gradient = 梯度 × 注意力
head_pdf = 当前头，供打印（PDF）
grid_pdf = 所有头，供打印（PDF）
which = 导出哪一个
paper = 论文插图
paper_width = 宽度（毫米）
paper_columns = 版面
paper_one = 单栏（{ $n } 毫米）
paper_two = 双栏（{ $n } 毫米）
paper_narrow = { $n } 列加上 { $font } 磅的标签放不进 { $width } 毫米。请选更宽的插图或更小的字号。
paper_font = 字号（磅）
paper_values = 标出权重数值
paper_format = 格式
paper_save = 保存当前头的插图
paper_caption = 图注（LaTeX）：
gallery_title = 例句与注意力
gallery_about = 每一页展示一个句子、它的译文和所有注意力头，不联网也能用。
gallery_index = 全部例句
gallery_before = 上一句
gallery_after = 下一句
