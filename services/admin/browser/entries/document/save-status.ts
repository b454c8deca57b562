import type { DocumentSummary } from './entry-document.js';
import type { Editor, LeaseHolder } from './write-failure.js';

/** Why saving waits, and goes on by itself. */
export type WaitReason = 'connection' | 'read-only' | 'signed-out';
/** Why saving has stopped until the user does something. The text stays in the journal. */
export type StopReason = 'locked' | 'other-user' | 'account-disabled' | 'gone' | 'denied' | 'rejected';

/** What the saver is doing. */
export type SavePhase =
  | { kind: 'idle' | 'saving' }
  | { kind: 'waiting'; reason: WaitReason; retryAt: number | undefined }
  | { kind: 'stopped'; reason: StopReason; error: unknown; holder: LeaseHolder | undefined };

/** Another editor's change that was merged without a question. */
export interface MergeNotice {
  /** Null if the server does not know. */
  by: Editor | null;
  fields: readonly string[];
  at: number;
}

/** What the state line says, as data; `fields` are keys. */
export type StateLine =
  | { kind: 'saved'; at: number | undefined }
  | { kind: 'unsaved'; fields: readonly string[] }
  | { kind: 'saving' }
  | { kind: 'waiting'; reason: WaitReason; retryAt: number | undefined; fields: readonly string[] }
  | {
      kind: 'stopped';
      reason: StopReason;
      error: unknown;
      holder: LeaseHolder | undefined;
      fields: readonly string[];
    }
  | { kind: 'invalid'; fields: readonly string[] }
  | { kind: 'conflict'; fields: readonly string[] };

/** The state of saving a document. */
export interface SaveStatus {
  line: StateLine;
  /** The last one; undefined after the user has seen it. */
  merged: MergeNotice | undefined;
  /** Whether the entry may be published, scheduled, discarded, restored or deleted. */
  allowsTransitions: boolean;
}

/** Derives the status; what needs the user comes first. */
export function toSaveStatus(
  summary: DocumentSummary,
  {
    phase,
    savedAt,
    merged,
  }: { phase: SavePhase; savedAt: number | undefined; merged: MergeNotice | undefined },
): SaveStatus {
  const allowsTransitions = summary.conflict.length === 0 && phase.kind !== 'stopped';
  return { line: toStateLine(summary, phase, savedAt), merged, allowsTransitions };
}

function toStateLine(
  { dirty, invalid, conflict }: DocumentSummary,
  phase: SavePhase,
  savedAt: number | undefined,
): StateLine {
  const unsent = [...dirty, ...invalid, ...conflict];
  if (phase.kind === 'stopped' || phase.kind === 'waiting') return { ...phase, fields: unsent };
  if (conflict.length > 0) return { kind: 'conflict', fields: conflict };
  if (invalid.length > 0) return { kind: 'invalid', fields: invalid };
  if (phase.kind === 'saving') return { kind: 'saving' };
  return dirty.length > 0 ? { kind: 'unsaved', fields: dirty } : { kind: 'saved', at: savedAt };
}
