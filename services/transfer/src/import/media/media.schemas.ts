import { storableText } from '@quire/operation';
import { z } from 'zod';

/** Attachments of one request; larger sites are sent in parts. */
export const maxAttachments = 50_000;

const text = storableText(z.string()).nullish();

/** An attachment of the analysis (contract 1.2). Further properties are ignored. */
export const attachmentSchema = z.object({
  id: z.number().int().nullish(),
  url: text,
  filename: text,
  mimeType: text,
  alt: text,
  caption: text,
});

export type Attachment = z.output<typeof attachmentSchema>;

export const mediaImportBody = z.object({
  attachments: z.array(attachmentSchema).max(maxAttachments),
  /** False for one response at the end. */
  stream: z.boolean().default(true),
});

export const mediaImportResult = z.object({
  imported: z.array(
    z.object({
      legacyId: z.number().int().optional(),
      originalUrl: z.string(),
      newUrl: z.string(),
      mediaId: z.string(),
    }),
  ),
  failed: z.array(
    z.object({ legacyId: z.number().int().optional(), originalUrl: z.string(), error: z.string() }),
  ),
  /** New addresses by original ones. */
  urlMap: z.record(z.string(), z.string()),
});

export type MediaImportResult = z.output<typeof mediaImportResult>;

/** A line of the streamed response before the last one. */
export interface MediaProgress {
  type: 'progress';
  /** Place of the file in the list, from 1. */
  current: number;
  total: number;
  /** Finished files of all, 0 to 100. */
  percent: number;
  filename: string;
  status: 'downloading' | 'uploading' | 'done' | 'skipped' | 'failed';
  error?: string;
}
