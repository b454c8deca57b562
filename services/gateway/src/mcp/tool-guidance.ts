import type { QuireError } from '@quire/errors';
import type { GeneratedTool } from './generated-tool.js';

/** The tool whose call failed. */
export type FailedTool = Pick<GeneratedTool, 'scope' | 'annotations'> & { name: string };

/** What to do next after a failure, by code. */
const guidance: Readonly<Record<string, (tool: FailedTool, error: QuireError) => string | undefined>> = {
  CONFLICT: ({ name }) =>
    isEntryTool(name) ? `Read the entry again with content_get and repeat with its _rev.` : undefined,
  INSUFFICIENT_SCOPE: ({ scope }) =>
    `Ask the user for a token with the scope ${scope}: in the admin panel under API tokens, or by connecting again.`,
  INSUFFICIENT_PERMISSIONS: () =>
    'Another token does not help: an administrator can change the role of the user.',
  INVALID_CURSOR: () => 'Omit cursor to begin with the first page, and keep the other arguments the same.',
  SERVICE_UNAVAILABLE: () => 'Nothing was changed. Retry in a few seconds.',
};

/** Returns what the caller can do next; undefined where the message says it. */
export function guidanceFor(code: string, tool: FailedTool, error: QuireError): string | undefined {
  return guidance[code]?.(tool, error);
}

function isEntryTool(name: string): boolean {
  return name.startsWith('content_') || name === 'revision_restore';
}
