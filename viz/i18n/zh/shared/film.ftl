### Words of the film of training; names are filled in by the browser.

slider = 训练步
step = 第 { $step } 步
at_step = 第 { $step } 步：{ $text }
play = 播放
pause = 暂停
weights = 权重
change = 相对起点的变化
grid = 全部注意力头，逐层向下
grid_label = 全部注意力头；已选第 { $layer } 层第 { $head } 头。方向键移动。
map = 第 { $layer } 层第 { $head } 头
map_label = 第 { $step } 步时第 { $layer } 层第 { $head } 头的注意力
map_how = 每一行：左侧词元看向哪里。颜色深浅按权重的平方根。
entropy = 这个头的熵
entropy_label = 第 { $step } 步的熵为 { $bits } 比特
bits = { $bits } 比特
nothing = （还没有输出）
