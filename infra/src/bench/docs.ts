import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../command.js';
import { markdownTable } from './table.js';

const page = join(root, 'docs/benchmarks.md');

/** The tables that a run with `--docs` replaces. */
export type DocsTable = 'operations' | 'growth' | 'tenants';

/** Replaces what is between the marks of a table. @throws Error when a mark is missing */
export function replaceTable(text: string, name: DocsTable, rows: readonly (readonly string[])[]): string {
  const [begin, end] = [`<!-- ${name}: a run with --docs replaces this table -->`, `<!-- ${name}: end -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} lacks ${begin} or ${end}`);
  return `${before}${begin}\n\n${markdownTable(rows)}\n\n${end}${after}`;
}

/** Writes a table into docs/benchmarks.md. */
export async function writeDocsTable(name: DocsTable, rows: readonly (readonly string[])[]): Promise<void> {
  await writeFile(page, replaceTable(await readFile(page, 'utf8'), name, rows));
}

/** Writes a picture of docs/benchmarks.md. */
export async function writeDocsPicture(name: DocsTable, svg: string): Promise<void> {
  await writeFile(join(root, `docs/benchmarks-${name}.svg`), svg);
}
