### What is wrong with a file of sentence pairs, a survey or a question in SQL: the cases of CorpusError.

no_link = { $file }, line { $line }: “{ $written }” is not a link. Write i-j for a sure link and ipj for a possible one, counted from 0.
link_beyond_source =
    { $file }, line { $line }: the link { $written } names source word { $word }, but there { $count ->
        [one] is
       *[other] are
    } { $count } { $count ->
        [one] word
       *[other] words
    }, counted from 0. Correct the link or the sentence.
link_beyond_target =
    { $file }, line { $line }: the link { $written } names target word { $word }, but there { $count ->
        [one] is
       *[other] are
    } { $count } { $count ->
        [one] word
       *[other] words
    }, counted from 0. Correct the link or the sentence.
gold_columns = { $file }, line { $line } has { $n } of 3 columns. Write source, tab, target, tab, links.
no_gold = { $file } holds no aligned pair. Write source, tab, target, tab, links on each line.
no_links = { $file } holds no link. Write i-j or ipj in the third column.
too_large = { $file } has { $n } bytes. Give at most { $most }, or split it.
not_utf8 = { $file }, line { $line } is not UTF-8. Save the file as UTF-8.
long_line = { $file }, line { $line } has { $n } characters. Write one sentence a line, of at most { $most } characters.
one_column = { $file }, line { $line } has one column. Write source, a tab, target.
no_pairs = { $file } holds no pair. Write source, a tab, target on each line.
damaged = { $file } is damaged. Run the survey again with --resume to write this file again.
foreign = { $file } was not written by a survey. Remove it from the folder.
missing = { $file } is missing. Run the survey again with --resume to write this file again.
mixed = { $file } and { $other } come from different surveys ({ $model }, { $other_model }). Keep the files of one of them.
none = { $folder } holds no survey. Run “python -m model survey pairs.tsv --out { $folder }”.
slow = The query ran longer than { $n } s. Ask for less, or add conditions.
system = A query runs in a process with limits, and this system cannot make one. Start Regard on Linux, on macOS, or on Windows in WSL; in Python, survey.query answers here too.
syntax =
    The query is not written as SQL asks. Correct the place that DuckDB names:
    { $message }
column =
    The query names a column that is not there. The columns of each table are listed above.
    { $message }
no_table =
    The query names a table that is not there. The tables are listed above.
    { $message }
no_function =
    DuckDB has no such function. Use another, or correct its name.
    { $message }
files =
    A query reads the tables of the survey and no other file.
    { $message }
memory =
    The answer needs more memory than a query may take. Ask for less, or add conditions.
    { $message }
duckdb =
    DuckDB cannot answer this query. Its message says why:
    { $message }
wide = One row of the answer takes more than { $mb } MB. Select fewer columns, or parts of the texts.
characters = The query contains { $code }, which is not a character of a text. Remove it.
select = A query must be one SELECT statement, because a survey can only be read.
table = There is no table { $table }. A survey has { $tables }.
settings = { $name }() is not allowed: a query may not read settings.
function = { $name }() is not allowed: a query may only read { $tables }.
too_many = { $n } pairs are more than the { $most } allowed here. Give fewer.
states = The states of { $n } pairs take about { $mb } MB, more than the { $most } MB allowed. Keep fewer layers or give fewer pairs.
disk = The survey may write { $mb } MB, more than the disk has free. Make room first.
