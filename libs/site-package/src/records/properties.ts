import { z } from 'zod';
import type { RecordKind } from './record-kinds.js';

/** What the value of a property refers to. */
export interface PropertyReference {
  kind: RecordKind;
  /** Property of the referred record that has the same value; its key unless given. */
  property?: string;
  /** Whether the referred record may be missing: the site itself allows that too. */
  soft: boolean;
}

/** Metadata of a property in a record's schema, which its JSON Schema shows too. */
export interface PropertyMeta {
  reference?: PropertyReference;
}

/** The id of a record, or another key. */
export const key = () => z.string().min(1).max(200);

/** A text of the site. Its length is limited by that of the record's line. */
export const text = () => z.string();

/** An instant: ISO 8601 in UTC with milliseconds. */
export const instant = () => z.iso.datetime({ precision: 3 });

export const integer = () => z.number().int();

export const jsonObject = () => z.record(z.string(), z.unknown());

/** The key of a record that the package must have. */
export const reference = (kind: RecordKind, property?: string) =>
  key().meta({ reference: { kind, ...(property && { property }), soft: false } });

/** The key of a record that the site may have lost: a deleted media item, an unknown collection. */
export const softReference = (kind: RecordKind, property?: string) =>
  text().meta({ reference: { kind, ...(property && { property }), soft: true } });

/** The id of a user of the exported site. */
export const principal = () => softReference('principals');
