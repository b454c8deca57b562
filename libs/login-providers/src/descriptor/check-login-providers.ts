import { z } from 'zod';
import type { LoginProvider } from './login-provider.js';

/** A mistake in a list of providers, and its path. */
export interface ProviderIssue {
  path: string;
  message: string;
}

const maxLifetimeSeconds = 400 * 86_400;
/** Names in the query of a login that Quire or the protocol uses. */
const takenFields = ['invite', 'redirect', 'state', 'code', 'error'];

const fn = z.custom((value) => typeof value === 'function', 'must be a function');
const name = z.string().trim().min(1).max(100);
const path = z
  .string()
  .regex(/^[\w.-]+(?:\/[\w.-]+)*$/, 'must be a path such as "client-metadata.json"')
  .refine((text) => !text.split('/').some((part) => /^\.+$/.test(part)), 'must not climb up')
  .refine((text) => text !== 'callback', 'is where the browser comes back: choose another');

const providerSchema = z.strictObject({
  id: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,39}$/,
      'must be lower-case letters, digits and dashes, a letter first, 40 at most',
    ),
  label: name,
  form: z
    .strictObject({
      field: z.strictObject({
        name: z
          .string()
          .regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores')
          .refine((text) => !takenFields.includes(text), `must be none of ${takenFields.join(', ')}`),
        label: name,
        placeholder: name.optional(),
      }),
    })
    .optional(),
  environment: z.array(z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be a name such as CLIENT_ID')).optional(),
  setup: z.boolean().optional(),
  storage: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and dashes'),
      z.strictObject({ lifetimeSeconds: z.number().int().min(1).max(maxLifetimeSeconds) }),
    )
    .optional(),
  routes: z.array(z.strictObject({ method: z.enum(['GET', 'POST']), path, handle: fn })).optional(),
  publicPrefixes: z.array(z.string().min(1).max(200)).optional(),
  begin: fn,
  complete: fn,
});

/**
 * Validates the value of `authProviders`.
 * @returns all mistakes; empty for a valid list
 */
export function findProviderMistakes(list: unknown): ProviderIssue[] {
  const parsed = z.array(providerSchema).safeParse(list);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const providers = list as readonly LoginProvider[];
  return [
    ...repeated(providers.map(({ id }) => id)).map((index) => ({
      path: `${index}.id`,
      message: `"${providers[index]?.id}" is the id of another provider`,
    })),
    ...providers.flatMap(({ routes = [] }, index) =>
      repeated(routes.map(({ method, path }) => `${method} ${path}`)).map((route) => ({
        path: `${index}.routes.${route}`,
        message: 'is there twice',
      })),
    ),
  ];
}

/** Indexes of texts that occur earlier in the list. */
function repeated(texts: readonly string[]): number[] {
  return texts.flatMap((text, index) => (texts.indexOf(text) < index ? [index] : []));
}
