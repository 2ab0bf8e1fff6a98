### What is wrong with a file of sentence pairs, a survey or a question in SQL: the cases of CorpusError.

no_link = { $file } 第 { $line } 行：“{ $written }”不是链接。确定的写 i-j，可能的写 ipj，从 0 数起。
link_beyond_source = { $file } 第 { $line } 行：{ $written } 指向源句的第 { $word } 个词，但源句只有 { $count } 个词（从 0 数起）。请改正链接或句子。
link_beyond_target = { $file } 第 { $line } 行：{ $written } 指向译文的第 { $word } 个词，但译文只有 { $count } 个词（从 0 数起）。请改正链接或句子。
gold_columns = { $file } 第 { $line } 行有 { $n } 列，应有 3 列：源句、制表符、译文、制表符、链接。
no_gold = { $file } 中没有带对齐的句对。每行写：源句、制表符、译文、制表符、链接。
no_links = { $file } 中没有链接。请在第三列写 i-j 或 ipj。
too_large = { $file } 有 { $n } 字节，最多 { $most } 字节。请拆分文件。
not_utf8 = { $file } 第 { $line } 行不是 UTF-8 编码。请将文件另存为 UTF-8。
long_line = { $file } 第 { $line } 行有 { $n } 个字符。每行写一句，最多 { $most } 个字符。
one_column = { $file } 第 { $line } 行只有一列。请写：源句、制表符、译文。
no_pairs = { $file } 中没有句对。每行写：源句、制表符、译文。
damaged = { $file } 已损坏。请用 --resume 重新测量，写出新文件。
foreign = { $file } 不是测量写出的文件。请把它移出文件夹。
missing = 缺少 { $file }。请用 --resume 重新测量，写出该文件。
mixed = { $file } 与 { $other } 来自不同的测量（{ $model }、{ $other_model }）。请只保留其中一次测量的文件。
none = { $folder } 中没有测量结果。请运行“python -m model survey pairs.tsv --out { $folder }”。
slow = 查询超过了 { $n } 秒。请缩小范围，或增加条件。
system = 查询要在受限的进程中运行，而本系统无法创建这样的进程。请在 Linux、macOS 上，或在 Windows 的 WSL 中启动 Regard；在 Python 中，survey.query 在这里也能用。
syntax =
    查询的写法不符合 SQL 语法。请改正 DuckDB 指出的位置：
    { $message }
column =
    查询中有一列不存在。各表的列见上方。
    { $message }
no_table =
    查询中有一张表不存在。可用的表见上方。
    { $message }
no_function =
    DuckDB 没有这个函数。请换一个，或改正函数名。
    { $message }
files =
    查询只能读测量结果中的表，不能读其他文件。
    { $message }
memory =
    查询所需的内存超过了限额。请缩小范围，或增加条件。
    { $message }
duckdb =
    DuckDB 无法回答这个查询，原因如下：
    { $message }
wide = 结果中的一行就超过了 { $mb } MB。请少选几列，或只取文本的一部分。
characters = 查询中有 { $code }，它不是文本字符。请把它删去。
select = 这里只接受一条 SELECT：测量结果只能读取，不能修改。
table = 没有表 { $table }。测量结果中有 { $tables }。
settings = { $name }() 不可使用：查询只读测量结果，不读设置。
function = { $name }() 不可使用：查询只读 { $tables }。
too_many = 共 { $n } 对，超过了这里允许的 { $most } 对。请减少句对。
states = { $n } 对的状态约占 { $mb } MB，超过了允许的 { $most } MB。请少保留几层，或减少句对。
disk = 测量可能写入 { $mb } MB，超过磁盘剩余空间。请先腾出空间。
