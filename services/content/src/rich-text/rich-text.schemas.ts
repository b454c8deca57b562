import { compileFields, completeFieldDefinition, jsonFault, validateValues } from '@quire/content-model';
import { z } from 'zod';

const maxBlocks = 5_000;
const maxProperties = 200;

/** Blocks outside of entries have the rules of a rich-text field. */
const content = compileFields(
  [completeFieldDefinition({ slug: 'content', label: 'Content', type: 'portableText' })],
  'content',
);

/** Checked by `blockList`: an object schema would change the order of a block's keys. */
const block = z
  .unknown()
  .meta({ type: 'object', required: ['_type'], properties: { _type: { type: 'string' } } });

/**
 * The blocks of a section or a widget: objects with a `_type`; a missing `_key` is added (spec document 3,
 * portableText).
 */
export const blockList = z
  .array(block)
  .max(maxBlocks)
  .transform((blocks, context): Record<string, unknown>[] => {
    const { values, issues } = validateValues(content, { content: blocks }, 'update');
    for (const { path, message } of issues)
      context.addIssue({ code: 'custom', message, path: path.split('.').slice(1) });
    return (values['content'] ?? []) as Record<string, unknown>[];
  });

/** An open map of JSON values, in requests. */
export const openRecord = z
  .record(z.string(), z.unknown())
  .refine((record) => Object.keys(record).length <= maxProperties, `must have at most ${maxProperties} keys`)
  .superRefine((record, context) => {
    const fault = jsonFault(record);
    if (fault) context.addIssue({ code: 'custom', message: fault.reason.message, path: fault.path });
  });

/** Blocks in responses. */
export const storedBlocks = z.array(z.record(z.string(), z.unknown()));

/** An open map in responses. */
export const storedRecord = z.record(z.string(), z.unknown());
