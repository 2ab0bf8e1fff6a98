"""What is wrong with a file of sentence pairs, a survey or a question in SQL: the cases of ``CorpusError``."""

from __future__ import annotations

STRINGS: dict[str, tuple[str, ...]] = {
    "corpus_error.no_link": (
        "{file}, line {line}: “{written}” is not a link. Write i-j for a sure link and ipj for a possible one, counted from 0.",
        "{file} 第 {line} 行：“{written}”不是链接。确定的写 i-j，可能的写 ipj，从 0 数起。",
        "{file}, ligne {line} : « {written} » n'est pas un lien. Écrivez i-j pour un lien sûr et ipj pour un lien possible, à partir de 0.",
    ),
    "corpus_error.link_beyond_source": (
        "{file}, line {line}: the link {written} names source word {word}, but there {count|is|are} {count} {count|word|words}, counted "
        "from 0. Correct the link or the sentence.",
        "{file} 第 {line} 行：{written} 指向源句的第 {word} 个词，但源句只有 {count} 个词（从 0 数起）。请改正链接或句子。",
        "{file}, ligne {line} : le lien {written} désigne le mot source {word}, mais la phrase a {count} {count|mot|mots}, comptés à partir "
        "de 0. Corrigez le lien ou la phrase.",
    ),
    "corpus_error.link_beyond_target": (
        "{file}, line {line}: the link {written} names target word {word}, but there {count|is|are} {count} {count|word|words}, counted "
        "from 0. Correct the link or the sentence.",
        "{file} 第 {line} 行：{written} 指向译文的第 {word} 个词，但译文只有 {count} 个词（从 0 数起）。请改正链接或句子。",
        "{file}, ligne {line} : le lien {written} désigne le mot cible {word}, mais la phrase a {count} {count|mot|mots}, comptés à partir "
        "de 0. Corrigez le lien ou la phrase.",
    ),
    "corpus_error.gold_columns": (
        "{file}, line {line} has {n} of 3 columns. Write source, tab, target, tab, links.",
        "{file} 第 {line} 行有 {n} 列，应有 3 列：源句、制表符、译文、制表符、链接。",
        "{file}, ligne {line} : {n} {n|colonne|colonnes} sur 3. Écrivez source, tabulation, cible, tabulation, liens.",
    ),
    "corpus_error.no_gold": (
        "{file} holds no aligned pair. Write source, tab, target, tab, links on each line.",
        "{file} 中没有带对齐的句对。每行写：源句、制表符、译文、制表符、链接。",
        "{file} ne contient aucune paire alignée. Écrivez sur chaque ligne source, tabulation, cible, tabulation, liens.",
    ),
    "corpus_error.no_links": (
        "{file} holds no link. Write i-j or ipj in the third column.",
        "{file} 中没有链接。请在第三列写 i-j 或 ipj。",
        "{file} ne contient aucun lien. Écrivez i-j ou ipj dans la troisième colonne.",
    ),
    "corpus_error.too_large": (
        "{file} has {n} bytes. Give at most {most}, or split it.",
        "{file} 有 {n} 字节，最多 {most} 字节。请拆分文件。",
        "{file} fait {n} octets. Donnez-en au plus {most}, ou partagez le fichier.",
    ),
    "corpus_error.not_utf8": (
        "{file}, line {line} is not UTF-8. Save the file as UTF-8.",
        "{file} 第 {line} 行不是 UTF-8 编码。请将文件另存为 UTF-8。",
        "{file}, ligne {line} n'est pas en UTF-8. Enregistrez le fichier en UTF-8.",
    ),
    "corpus_error.long_line": (
        "{file}, line {line} has {n} characters. Write one sentence a line, of at most {most} characters.",
        "{file} 第 {line} 行有 {n} 个字符。每行写一句，最多 {most} 个字符。",
        "{file}, ligne {line} compte {n} caractères. Écrivez une phrase par ligne, de {most} caractères au plus.",
    ),
    "corpus_error.one_column": (
        "{file}, line {line} has one column. Write source, a tab, target.",
        "{file} 第 {line} 行只有一列。请写：源句、制表符、译文。",
        "{file}, ligne {line} n'a qu'une colonne. Écrivez source, tabulation, cible.",
    ),
    "corpus_error.no_pairs": (
        "{file} holds no pair. Write source, a tab, target on each line.",
        "{file} 中没有句对。每行写：源句、制表符、译文。",
        "{file} ne contient aucune paire. Écrivez sur chaque ligne source, tabulation, cible.",
    ),
    "corpus_error.damaged": (
        "{file} is damaged. Run the survey again with --resume to write this file again.",
        "{file} 已损坏。请用 --resume 重新测量，写出新文件。",
        "{file} est abîmé. Relancez la mesure avec --resume pour le réécrire.",
    ),
    "corpus_error.foreign": (
        "{file} was not written by a survey. Remove it from the folder.",
        "{file} 不是测量写出的文件。请把它移出文件夹。",
        "{file} ne vient pas d'une mesure. Retirez-le du dossier.",
    ),
    "corpus_error.missing": (
        "{file} is missing. Run the survey again with --resume to write this file again.",
        "缺少 {file}。请用 --resume 重新测量，写出该文件。",
        "{file} manque. Relancez la mesure avec --resume pour le réécrire.",
    ),
    "corpus_error.mixed": (
        "{file} and {other} come from different surveys ({model}, {other_model}). Keep the files of one of them.",
        "{file} 与 {other} 来自不同的测量（{model}、{other_model}）。请只保留其中一次测量的文件。",
        "{file} et {other} viennent de mesures différentes ({model}, {other_model}). Gardez les fichiers d'une seule.",
    ),
    "corpus_error.none": (
        "{folder} holds no survey. Run “python -m model survey pairs.tsv --out {folder}”.",
        "{folder} 中没有测量结果。请运行“python -m model survey pairs.tsv --out {folder}”。",
        "{folder} ne contient aucune mesure. Lancez « python -m model survey pairs.tsv --out {folder} ».",
    ),
    "corpus_error.slow": (
        "The query ran longer than {n} s. Ask for less, or add conditions.",
        "查询超过了 {n} 秒。请缩小范围，或增加条件。",
        "La requête a duré plus de {n} s. Demandez moins, ou ajoutez des conditions.",
    ),
    "corpus_error.system": (
        "A query runs in a process with limits, and this system cannot make one. Start Regard on Linux, on macOS, or on Windows "
        "in WSL; in Python, survey.query answers here too.",
        "查询要在受限的进程中运行，而本系统无法创建这样的进程。请在 Linux、macOS 上，或在 Windows 的 WSL 中启动 Regard；在 Python 中，survey.query 在这里也能用。",
        "Une requête tourne dans un processus limité, et ce système ne sait pas en créer. Lancez Regard sous Linux, macOS, ou dans WSL "
        "sous Windows ; en Python, survey.query répond ici aussi.",
    ),
    "corpus_error.syntax": (
        "The query is not written as SQL asks. Correct the place that DuckDB names:\n{message}",
        "查询的写法不符合 SQL 语法。请改正 DuckDB 指出的位置：\n{message}",
        "La requête n'est pas écrite comme SQL le demande. Corrigez l'endroit que nomme DuckDB :\n{message}",
    ),
    "corpus_error.column": (
        "The query names a column that is not there. The columns of each table are listed above.\n{message}",
        "查询中有一列不存在。各表的列见上方。\n{message}",
        "La requête nomme une colonne qui n'existe pas. Les colonnes de chaque table sont données plus haut.\n{message}",
    ),
    "corpus_error.no_table": (
        "The query names a table that is not there. The tables are listed above.\n{message}",
        "查询中有一张表不存在。可用的表见上方。\n{message}",
        "La requête nomme une table qui n'existe pas. Les tables sont données plus haut.\n{message}",
    ),
    "corpus_error.no_function": (
        "DuckDB has no such function. Use another, or correct its name.\n{message}",
        "DuckDB 没有这个函数。请换一个，或改正函数名。\n{message}",
        "DuckDB n'a pas cette fonction. Prenez-en une autre, ou corrigez son nom.\n{message}",
    ),
    "corpus_error.files": (
        "A query reads the tables of the survey and no other file.\n{message}",
        "查询只能读测量结果中的表，不能读其他文件。\n{message}",
        "Une requête lit les tables de la mesure et aucun autre fichier.\n{message}",
    ),
    "corpus_error.memory": (
        "The answer needs more memory than a query may take. Ask for less, or add conditions.\n{message}",
        "查询所需的内存超过了限额。请缩小范围，或增加条件。\n{message}",
        "La réponse demande plus de mémoire qu'une requête ne peut en prendre. Demandez moins, ou ajoutez des conditions.\n{message}",
    ),
    "corpus_error.duckdb": (
        "DuckDB cannot answer this query. Its message says why:\n{message}",
        "DuckDB 无法回答这个查询，原因如下：\n{message}",
        "DuckDB ne peut pas répondre à cette requête. Son message dit pourquoi :\n{message}",
    ),
    "corpus_error.wide": (
        "One row of the answer takes more than {mb} MB. Select fewer columns, or parts of the texts.",
        "结果中的一行就超过了 {mb} MB。请少选几列，或只取文本的一部分。",
        "Une seule ligne de la réponse dépasse {mb} Mo. Demandez moins de colonnes, ou une partie des textes.",
    ),
    "corpus_error.characters": (
        "The query contains {code}, which is not a character of a text. Remove it.",
        "查询中有 {code}，它不是文本字符。请把它删去。",
        "La requête contient {code}, qui n'est pas un caractère de texte. Supprimez-le.",
    ),
    "corpus_error.select": (
        "A query must be one SELECT statement, because a survey can only be read.",
        "这里只接受一条 SELECT：测量结果只能读取，不能修改。",
        "Seule une requête SELECT est acceptée : ici, on lit une mesure sans la modifier.",
    ),
    "corpus_error.table": (
        "There is no table {table}. A survey has {tables}.",
        "没有表 {table}。测量结果中有 {tables}。",
        "Il n'y a pas de table {table}. Une mesure contient {tables}.",
    ),
    "corpus_error.settings": (
        "{name}() is not allowed: a query may not read settings.",
        "{name}() 不可使用：查询只读测量结果，不读设置。",
        "{name}() n'est pas acceptée : une requête lit la mesure, pas les réglages.",
    ),
    "corpus_error.function": (
        "{name}() is not allowed: a query may only read {tables}.",
        "{name}() 不可使用：查询只读 {tables}。",
        "{name}() n'est pas acceptée : une requête lit {tables}.",
    ),
    "corpus_error.too_many": (
        "{n} pairs are more than the {most} allowed here. Give fewer.",
        "共 {n} 对，超过了这里允许的 {most} 对。请减少句对。",
        "{n} paires, c'est plus que les {most} permises ici. Donnez-en moins.",
    ),
    "corpus_error.states": (
        "The states of {n} pairs take about {mb} MB, more than the {most} MB allowed. Keep fewer layers or give fewer pairs.",
        "{n} 对的状态约占 {mb} MB，超过了允许的 {most} MB。请少保留几层，或减少句对。",
        "Les états de {n} paires occupent environ {mb} Mo, plus que les {most} Mo permis. Gardez moins de couches ou donnez moins de paires.",
    ),
    "corpus_error.disk": (
        "The survey may write {mb} MB, more than the disk has free. Make room first.",
        "测量可能写入 {mb} MB，超过磁盘剩余空间。请先腾出空间。",
        "La mesure peut écrire {mb} Mo, plus que la place libre du disque. Faites d'abord de la place.",
    ),
}
