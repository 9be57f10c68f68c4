type CsvCell = string | number | null | undefined;

/** A CSV file, written as the server writes its own: a cell that a spreadsheet would run as a formula gets a `'`. */
export function csvOf(rows: CsvCell[][]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: CsvCell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

interface WrittenColumn<Row> {
  header: string;
  value?: (row: Row) => CsvCell;
}

/** The columns of a table that have values, under their headers. */
export function tableFile<Row>(columns: WrittenColumn<Row>[], rows: Row[]): string {
  const written = columns.filter(({ value }) => value);
  return csvOf([
    written.map(({ header }) => header),
    ...rows.map((row) => written.map(({ value }) => value?.(row))),
  ]);
}
