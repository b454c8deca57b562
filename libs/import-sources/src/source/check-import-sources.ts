import { z } from 'zod';
import type { ImportSource } from './import-source.js';
import { builtInSourceIds, sourceIdSchema } from './source-id.js';

/** A mistake in a list of sources, and its path. */
export interface SourceIssue {
  path: string;
  message: string;
}

const fn = z.custom((value) => typeof value === 'function', 'must be a function');

const sourceFields = {
  id: sourceIdSchema,
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().min(1).max(500),
  icon: z.enum(['upload', 'globe', 'plug']),
  requiresFile: z.boolean().optional(),
  canProbe: z.boolean().optional(),
  probe: fn.optional(),
  analyze: fn,
  fetchContent: fn,
  fetchMedia: fn.optional(),
};
const literal = z.strictObject(sourceFields);
const instance = z.looseObject(sourceFields);

/** An unknown key of a literal is a misspelt one; an object of a class has fields of its own. */
const source = z.unknown().superRefine((value, context) => {
  const parsed = (isClassInstance(value) ? instance : literal).safeParse(value);
  for (const { path, message } of parsed.error?.issues ?? [])
    context.addIssue({ code: 'custom', path: [...path], message });
  if (!parsed.success || parsed.data.canProbe !== true || parsed.data.probe !== undefined) return;
  context.addIssue({ code: 'custom', path: ['canProbe'], message: 'needs the function probe' });
});

/**
 * Validates the value of `import.sources`.
 * @returns all mistakes; empty for a valid list
 */
export function findSourceMistakes(list: unknown): SourceIssue[] {
  const parsed = z.array(source).safeParse(list);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const ids = (list as readonly ImportSource[]).map(({ id }) => id);
  return ids.flatMap((id, index) => {
    const owner = ownerOf(id, ids.slice(0, index));
    return owner === undefined ? [] : [{ path: `${index}.id`, message: `"${id}" is the id of ${owner}` }];
  });
}

function ownerOf(id: string, earlier: readonly string[]): string | undefined {
  if (builtInSourceIds.some((builtIn) => builtIn === id)) return 'a built-in source';
  return earlier.includes(id) ? 'another source' : undefined;
}

function isClassInstance(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have a prototype of their own whose prototype is null.
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
