import { invalidInput, type Issue } from '@quire/errors';
import type { z } from 'zod';

type ZodIssue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/**
 * Parses the arguments of a tool. Its messages are for a model that corrects its call.
 * @throws QuireError VALIDATION_ERROR with every invalid argument by its path
 */
export function parseArguments<Input>(schema: z.ZodType<Input>, given: unknown): Input {
  const parsed = schema.safeParse(given, { error: messageOf });
  if (parsed.success) return parsed.data;
  throw invalidInput(
    parsed.error.issues.flatMap((issue) => issuesOf(issue)),
    { cause: parsed.error },
  );
}

/** The message of an issue; undefined for the schema's own or the library's. */
function messageOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'is required';
      const name = typeNames[issue.expected];
      return name === undefined ? undefined : `must be ${name}`;
    }
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must ${sizeOf(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${sizeOf(issue.origin, 'at most', issue.maximum)}`;
    default:
      return undefined;
  }
}

function sizeOf(origin: string, bound: string, size: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${size} characters`;
  return origin === 'array' ? `have ${bound} ${size} items` : `be ${bound} ${size}`;
}

/** The library reports unknown keys together, and alternatives without their reasons. */
function issuesOf(issue: ZodIssue, parent: readonly PropertyKey[] = []): Issue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: textOf([...path, key]), message: 'is not a known argument' }));
  if (issue.code !== 'invalid_union') return [{ path: textOf(path), message: issue.message }];
  const matching = issue.errors.find((issues) => issues.length > 0 && !issues.some(isOfOtherForm));
  if (matching) return matching.flatMap((nested) => issuesOf(nested, path));
  const forms = issue.errors.flatMap((issues) => issues.filter(isOfOtherForm).map(({ message }) => message));
  const message = forms.length > 0 ? [...new Set(forms)].join(' or ') : issue.message;
  return [{ path: textOf(path), message: message.replaceAll(' or must be ', ' or ') }];
}

/** Whether an alternative is another type or constant than the given value. */
function isOfOtherForm({ code, path }: ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}

function textOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
