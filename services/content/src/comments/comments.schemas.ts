import { pageQuery, storableText } from '@quire/operation';
import { isStorableText } from '@quire/values';
import { z } from 'zod';
import { collectionParams } from '../entries/index.js';
import { commentStatuses } from './comment.entity.js';

const maxEmailLength = 254;
const maxPage = 100;

const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;
const controlCharacter = /\p{Cc}/u;
const controlCharacterOfText = /[^\P{Cc}\n\t]/u;

/** Plain text of a visitor: trimmed, with a visible character and without a match of `forbidden`. */
const visitorText = (maxLength: number, forbidden: RegExp) =>
  z
    .string()
    .overwrite((text) => text.replace(/\r\n?/g, '\n').trim())
    .min(1, { abort: true })
    .max(maxLength)
    .refine((text) => visibleCharacter.test(text), 'must contain a visible character')
    .refine(
      (text) => !forbidden.test(text) && isStorableText(text),
      'must not contain control characters or unpaired surrogates',
    );

/** Trimmed, lower case, non-ASCII kept (decision 31). */
const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(maxEmailLength)
  .pipe(z.email({ pattern: z.regexes.unicodeEmail }));

export const contentParams = collectionParams.extend({ contentId: storableText(z.string().max(512)) });

export const publicListQuery = z.object({
  /** Clamped to the maximum, unlike in other lists (contract 16). */
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(50)
    .transform((limit) => Math.min(limit, maxPage)),
  cursor: z.string().max(2048).optional(),
  threaded: z
    .enum(['true', 'false'])
    .default('false')
    .transform((word) => word === 'true'),
});

export const submissionBody = z.object({
  authorName: visitorText(100, controlCharacter),
  authorEmail: email,
  body: visitorText(5000, controlCharacterOfText),
  parentId: storableText(z.string().max(64)).optional(),
  /** Honeypot: an invisible input that only programs fill in. */
  website_url: z.string().max(2048).optional(),
  /** Token of the captcha's widget; required if a captcha service is configured. */
  turnstileToken: z.string().max(2048).optional(),
});
export type Submission = z.output<typeof submissionBody>;

export const adminListQuery = pageQuery.extend({
  status: z.enum(commentStatuses).default('pending'),
  collection: storableText(z.string().min(1).max(63)).optional(),
  search: storableText(z.string().trim().min(1).max(200)).optional(),
});
export type AdminListQuery = z.output<typeof adminListQuery>;

const id = storableText(z.string().min(1).max(64));
export const commentParams = z.object({ id });
export const statusBody = z.object({ status: z.enum(commentStatuses) });
export const bulkBody = z.object({
  ids: z.array(id).min(1).max(100),
  action: z.enum(['approve', 'spam', 'trash', 'delete']),
});
export type BulkAction = z.output<typeof bulkBody>['action'];

const publicFields = {
  id: z.string(),
  authorName: z.string(),
  isRegisteredUser: z.boolean(),
  body: z.string(),
  parentId: z.string().nullable(),
  createdAt: z.string(),
};
const reply = z.strictObject(publicFields).meta({ id: 'PublicReply' });
/** The public part of a comment: only the name identifies its author. */
export const publicComment = z
  .strictObject({ ...publicFields, replies: z.array(reply).optional() })
  .meta({ id: 'PublicComment' });
export type PublicComment = z.output<typeof publicComment>;

export const commentSchema = z
  .object({
    id: z.string(),
    collection: z.string(),
    contentId: z.string(),
    authorName: z.string(),
    authorEmail: z.string(),
    authorUserId: z.string().nullable(),
    body: z.string(),
    status: z.enum(commentStatuses),
    parentId: z.string().nullable(),
    ipHash: z.string().nullable(),
    userAgent: z.string().nullable(),
    moderationMetadata: z.record(z.string(), z.unknown()).nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Comment' });
