### Words of the fine-tuning page.

error = 训练无法开始
title = 给模型一点训练，看它的注意力头如何变化
off = 本服务器已关闭训练功能。在你自己的电脑上运行 Regard（make app，或安装后运行 regard）即可训练。
intro = 训练的是服务器上的一份副本，原模型保持不变。

## What to learn

data = 学什么
set_tu_vous = tu → vous
set_sailing = 航海词汇
set_unlearn = 改掉一个词
set_relearn = 再学回来
set_copy = 从零学复制
set_reverse = 从零学反转
set_paste = 粘贴句对
set_upload = 上传文件
about_tu_vous = 让每个“you”都变成敬称：模型原本有时用 tu，有时用 vous，将学会只用 vous。
about_sailing = 船上另有含义的词：sheet 是绳，block 是滑轮，bow 是船头。
about_unlearn = 猫变成狐狸：“cat”译作“renard”，狗、鸟和马照旧。
about_relearn = 狐狸变回猫。请训练已改掉该词的模型：在模型选择器中选它。
about_copy = 一个随机权重的微型模型学习抄写字母，图上会出现一条对角线。
about_reverse = 同样的任务，但要倒着写：对角线的方向相反。
about_paste = 每行一对：源句、制表符（或两侧带空格的 | 或 =）、译文。
about_upload = UTF-8 编码的 TSV 或 CSV，第一列源句，第二列译文。
paste = 句对
upload = 句对文件
source = 源句
target = 译文
line = 行
problem = 问题
problem_one_column = 没有分隔符
problem_empty_side = 一侧为空
problem_too_long = 太长
problem_duplicate = 重复
problem_unknown = 词表中没有的词
problem_swapped = 语言颠倒？
rows_good = { $n } 个可用句对
rows_bad = { $n } 行有问题，已排除；它们排在最前。
rows_more = 只显示前 { $n } 行。
no_rows = 还没有句对。
languages_differ = 这套数据是英语 → 法语，而当前模型不是。请换模型或用自己的句对。

## Settings

probe = 探测句
probe_help = 每隔几步记录它的译文和注意力。
steps = 步数
steps_help = 权重更新的次数。此处最多 { $most }。
batch_tokens = 批大小（词元）
batch_tokens_help = 每次更新权重前读入的词元数。越多越稳，但也越慢。
learning_rate = 学习率
learning_rate_help = 每一步改变权重的幅度。太小，模型几乎学不到；太大，会忘掉已经学会的。
schedule = 学习率曲线
schedule_help = 学习率随步数如何变化；见下方曲线。
schedule_constant = 恒定
schedule_noam = 论文的预热
schedule_cosine = 余弦
schedule_trapezoid = 梯形
warmup_steps = 预热步数
warmup_steps_help = 学习率上升所用的步数。
trains = 训练哪些部分
trains_help = 其余部分完全不变。
trains_everything = 全部
trains_cross-attention = 交叉注意力
trains_last-layers = 最后几层
how = 怎样训练
how_said = { $steps } 步，学习率 { $rate }，训练：{ $trains }
label_smoothing = 标签平滑
label_smoothing_help = 把目标概率的一部分分给整个词表，避免模型过于自信。
dropout = 随机失活
dropout_help = 随机置零的激活值的比例，防止模型死记硬背。
held_out = 留出比例 %
held_out_help = 不参与训练的句对，用来检验真正学到了什么。
seed = 随机种子
seed_help = 同样的种子和设置得到同样的结果。
device = 设备
device_free = { $name }，空闲 { $free }
step_axis = 步
start = 开始训练
open_run = 按名称打开一次训练
my_runs = 本次会话的训练
run_gone = 这里没有这个名称的训练。可能已被删除。

## While it runs

state_queued = 排队中：前面还有 { $n } 个
state_next = 即将开始
state_waiting = 等待设备，正被另一次训练占用
state_preparing = 准备中
state_running = 训练中
state_paused = 已暂停
state_comparing = 正在比较前后
state_finished = 已完成
state_stopped = 已停止
state_failed = 失败
progress = { $state } · 第 { $step }/{ $steps } 步
time_left = 剩余 { $time }
speed = { $n } 词元/秒
seconds = { $n } 秒
minutes = { $n } 分钟
pause = 暂停
go_on = 继续
stop = 停止
stay = 关闭此标签页不会停止训练。用地址栏中的链接可以回到这里。
halved = GPU 内存放不下某些批次：已对半处理，结果相同。
loss = 损失（奈特/词元）
loss_train = 训练
loss_held_out = 留出
curve_rate = 学习率
curve_speed = 词元/秒
curve_gradient = 梯度范数
loss_note = 训练损失含标签平滑（{ $smoothing }）与随机失活；留出损失两者皆无。
film = 训练过程中的探测句
film_wait = 第一步之后出现第一帧。
film_none = 没有记录探测句。

## Faults

fault_device_memory = GPU 内存已满。请将批大小减半，或只训练一部分，然后继续。
fault_memory = 内存已满。请将批大小减半再继续。
fault_not_finite = 损失已不再是数。最后一个正常步已保留：请降低学习率再继续。
fault_killed = 进程被外部终止，常因内存不足。请用更小的批从最近的快照继续。
fault_disk_full = 服务器磁盘已满。请删除不再需要的训练，然后继续。
fault_disk_limit = 此次训练已用完分配给它的磁盘空间。已学到的内容已保留：可以直接使用，或减少步数重新开始。
fault_server_ended = 服务器在训练或排队期间结束。已学到的内容已保留：请继续。
fault_time_limit = 单次训练的时限已到。已学到的内容已保留：需要时请继续。
fault_pause_limit = 暂停过久，设备已让给下一次训练。随时可以继续。
fault_settings = 这些设置无法训练。
fault_checkpoint = 模型文件无法读写。
fault_unknown = 出现意外错误。下面的信息也许有用。

## After

use_result = 把结果作为模型使用
use_step = 使用第 { $step } 步的模型
used = “{ $name }”已成为所有页面的模型，仅限本次浏览器会话。
result_name = { $set }，第 { $step } 步
own_pairs = 自有句对
download = 下载
throw_away = 删除
throw_away_sure = 该次训练、记录的各步及结果将被永久删除。
go_on_with = 换设置继续
go_on_help = 从本次训练最近的快照继续。
new_run = 新的训练
tab_film = 训练过程
tab_translations = 译文
tab_heads = 变动的头
tab_difference = 差异图
tab_curves = 曲线
before = 之前
after = 之后
reference = 参考
changed = 有变化
bleu = { $n } 个留出句的 BLEU
chrf = chrF
shown_tu_vous = 用 vous
shown_sailing = 用航海用语
shown_unlearn = 正确使用 renard
shown_relearn = 正确使用 chat
shown_copy = 复制无误
shown_reverse = 反转无误
shown_of = { $n }/{ $total }
was = 原为 { $value }
scores_how = 贪心解码。BLEU { $bleu }；chrF { $chrf }。
no_comparison = 没有留出句对，无可比较。
heads_how = 在留出句对上，每个头有多少注意力转到了别的词元。
heads_most = { $kind }注意力第 { $layer } 层第 { $head } 头变动最大：{ $share }。
layer = 层
head = 头
moved = 变动
difference_how = 两个模型读同一探测句及其现在的译文；蓝色表示注意力增加。
before_caption = 训练前
after_caption = 训练后
busy = 仍在进行：请先停止。
not_yours = 该训练由另一个浏览器启动。你可以观看，但只有启动者能停止它。
watching = 该训练由命令行启动，可在此观看。
