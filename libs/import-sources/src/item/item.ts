import { isHttpUrl, isStorableText, normaliseSeedDatetime } from '@quire/values';
import { z } from 'zod';
import { plainText } from '../match/plain-text.js';

const mebibyte = 1024 * 1024;
const maxContentBytes = 16 * mebibyte;
const maxMetaBytes = mebibyte;
const maxTextLength = 65_536;
const maxNameLength = 2_000;
const maxTerms = 1_000;
const maxFaultTitleLength = 200;
const maxFaultLength = 1_000;
const maxFaults = 10;

const text = (maxLength: number) =>
  z.string().max(maxLength).refine(isStorableText, 'must not contain U+0000 or unpaired surrogates');
const name = text(maxNameLength).refine((value) => value.trim() !== '', 'must not be empty');
const id = z.union([name, z.number().int()]).transform(String);
const names = z.array(name).max(maxTerms);

const instant = z.union([z.string(), z.date()]).transform((value, context) => {
  const normalised = normaliseSeedDatetime(typeof value === 'string' ? value.trim() : value.toISOString());
  if (normalised !== null) return normalised;
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 date and time' });
  return z.NEVER;
});

/** A value as its JSON has it, so that nothing of the source's own object is kept. */
const json = <Value>(schema: z.ZodType<Value>, maxBytes: number) =>
  z.unknown().transform((value, context): Value => {
    const parsed = schema.safeParse(copyOf(value, maxBytes));
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: 'custom', path: [...path], message });
    return z.NEVER;
  });

/** Returns undefined for values without a JSON form, and for larger ones than `maxBytes`. */
function copyOf(value: unknown, maxBytes: number): unknown {
  try {
    const written: string | undefined = JSON.stringify(value);
    if (written === undefined || Buffer.byteLength(written) > maxBytes) return undefined;
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

const content = json(
  z.array(z.looseObject({ _type: z.string().min(1) }), {
    error: `must be rich-text blocks of ${maxContentBytes / mebibyte} MB of JSON at most`,
  }),
  maxContentBytes,
);
const meta = json(
  z.record(z.string(), z.json(), {
    error: `must be an object of ${maxMetaBytes / mebibyte} MB of JSON at most`,
  }),
  maxMetaBytes,
);

const itemSchema = z.object({
  /** Permanent id of the item at the source: a second import finds the entry by it. */
  sourceId: id,
  postType: name,
  status: z.enum(['publish', 'draft', 'pending', 'private', 'future']),
  slug: text(maxNameLength),
  title: text(maxTextLength),
  /** Rich-text blocks; 16 MB of JSON at most. */
  content,
  excerpt: text(maxTextLength).optional(),
  /** A Date or ISO 8601; a time without an offset is UTC. The parsed value is UTC with milliseconds. */
  date: instant,
  modified: instant.optional(),
  /** Login of the author at the source. */
  author: name.optional(),
  categories: names.optional(),
  tags: names.optional(),
  /** Terms by taxonomy. */
  customTaxonomies: z.record(z.string(), names).optional(),
  /** Further values by key; 1 MB of JSON at most. */
  meta: meta.optional(),
  featuredImage: text(maxTextLength).refine(isHttpUrl, 'must be an http or https address').optional(),
  /** `sourceId` of the parent. */
  parentId: id.optional(),
  menuOrder: z.number().int().optional(),
  locale: name.optional(),
  /** Equal for translations of one text. */
  translationGroup: name.optional(),
});

/** An item as a source yields it (sheet import-and-fields, 7). Unknown keys are ignored. */
export type ItemInput = Omit<z.input<typeof itemSchema>, 'content' | 'meta'> & {
  content: readonly { readonly _type: string; readonly [key: string]: unknown }[];
  meta?: Readonly<Record<string, unknown>> | undefined;
};
/** A validated item. */
export type Item = z.output<typeof itemSchema>;

/** An item of a source that is invalid: a failure of the run (sheet import-and-fields, 6). */
export interface ItemFault {
  /** The invalid values, as "path: reason". */
  fault: string;
  /** One line of plain text; empty without a title. */
  title: string;
  sourceId: string | null;
}

/** Validates what a source yields. */
export function parseItem(value: unknown): Item | ItemFault {
  const parsed = itemSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, maxFaults)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  return { ...namesOf(value), fault: plainText(faults.join('; '), maxFaultLength) };
}

export function isItemFault(entry: Item | ItemFault): entry is ItemFault {
  return 'fault' in entry;
}

/** The names by which a report lists the item. */
function namesOf(value: unknown): Pick<ItemFault, 'title' | 'sourceId'> {
  const { title, sourceId } = (value ?? {}) as { title?: unknown; sourceId?: unknown };
  const parsedId = id.safeParse(sourceId);
  return {
    title: typeof title === 'string' ? plainText(title, maxFaultTitleLength) : '',
    sourceId: parsedId.success ? parsedId.data : null,
  };
}
