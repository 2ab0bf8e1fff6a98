### Words of the dialog that shares a change.

share_change = 分享这个变化
share_link = 这个变化的链接
share_foot = 看 Transformer 翻译时看向哪里
share_send = 发送……
save_picture = 保存图片
save_loop = 保存动画
making_loop = 正在生成动画：{ $n }%
made_loop = 已保存为 { $name }，{ $size } kB。
no_loop = 这个浏览器不能生成动画。图片展示的是同一个变化。
copy_it = 复制失败，请从框中复制。
close = 关闭
share_copy = 复制链接
share_copied = 已复制。
share_title = { $changes }：“{ $before }”变成“{ $after }”
share_without = 没有头 { $head }，“{ $before }”变成“{ $after }”
