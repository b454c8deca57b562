import { compileFields, givenSlugProblem, validateValues, type FieldDefinition } from '@quire/content-model';
import type { Field } from '../api/bootstrap.js';
import type { FieldIssue } from '../entries/document/field-store.js';

/** Types whose values need what only the server has: the library, other entries, the versions of block types. */
const judgedByServer: ReadonlySet<string> = new Set(['blocks', 'reference', 'image', 'file', 'portableText']);

const compiled = new WeakMap<Field, ReturnType<typeof compileFields> | undefined>();

/** The rules of a field. @returns undefined where they cannot be checked here */
function rulesOf(field: Field): ReturnType<typeof compileFields> | undefined {
  if (!compiled.has(field)) compiled.set(field, compile(field));
  return compiled.get(field);
}

function compile(field: Field): ReturnType<typeof compileFields> | undefined {
  try {
    return compileFields([definitionOf(field)], field.collectionId);
  } catch {
    // A rule of a newer server: it judges.
    return undefined;
  }
}

const definitionOf = ({ defaultValue = null, ...field }: Field): FieldDefinition => ({
  ...field,
  defaultValue,
});

/**
 * What is wrong with a value, by the rules of `content-model` for an update. A value is not judged here where only the
 * server can.
 */
export function validateField(field: Field, value: unknown): FieldIssue[] {
  if (judgedByServer.has(field.type)) return [];
  const rules = rulesOf(field);
  if (!rules) return [];
  const { issues } = validateValues(rules, { [field.slug]: value }, 'update');
  return issues.map(({ code, path, message }) => ({ code, path, message }));
}

/** What is wrong with the slug of an entry. @param path of the issue */
export function validateSlug(path: string, slug: unknown): FieldIssue[] {
  const problem = typeof slug === 'string' ? givenSlugProblem(slug) : null;
  return problem === null ? [] : [{ code: 'slug', path, message: problem }];
}
