import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { operationsOf, type OperationDeclaration } from '@quire/operation';

const source = fileURLToPath(new URL('../..', import.meta.url));

/** All operations of the service. Jest links one module graph at a time. */
async function listOperations(): Promise<OperationDeclaration[]> {
  const operations: OperationDeclaration[] = [];
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.controller.ts')) continue;
    const exported = Object.values((await import(source + name)) as object) as unknown[];
    const classes = exported.filter((value): value is NewableFunction => typeof value === 'function');
    operations.push(...classes.flatMap(operationsOf));
  }
  return operations;
}

/** Whether an operation writes entries or their schema; imports write both, also those of the transfer service. */
const isWriteOfContent = ({ method, access, path }: OperationDeclaration) =>
  method !== 'GET' &&
  (/^(content|schema|import):(?!read)/.test(access) || path.startsWith('internal/content/import/'));

describe('isBlockedInReadOnlyMode', () => {
  it('is declared by all writes of content and schema, imports included, and by no other operation', async () => {
    const operations = await listOperations();
    const idsOf = (matching: OperationDeclaration[]) => matching.map(({ id }) => id).sort();
    const blocked = operations.filter((operation) => operation.isBlockedInReadOnlyMode);
    expect(idsOf(blocked)).toEqual(idsOf(operations.filter(isWriteOfContent)));
    expect(blocked.length).toBeGreaterThan(20);
  });
});
