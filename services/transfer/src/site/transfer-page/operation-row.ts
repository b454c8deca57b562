import { html, type Html } from '@quire/ui';
import type { OperationRow } from '../operations/operations.repository.js';
import type { OperationState } from '../operations/transfer-operation.entity.js';
import { time } from './times.js';

const stateTexts: Record<OperationState, string> = {
  pending: 'Waiting',
  uploading: 'Receiving files',
  analyzing: 'Analysing',
  planned: 'Ready to start',
  running: 'Running',
  verifying: 'Verifying',
  complete: 'Complete',
  failed: 'Failed',
  cancelled: 'Cancelled',
  abandoned: 'Abandoned',
  expired: 'Expired',
};

const activeStates: ReadonlySet<OperationState> = new Set(['pending', 'analyzing', 'running', 'verifying']);

/** An export or import with its state; a complete export with the link to its archive. */
export function operationRow(operation: OperationRow, users: ReadonlyMap<string, string>): Html {
  const { kind, state, createdAt, createdBy, errorCode } = operation;
  return html`<li>
    <div>
      <strong>${kind === 'export' ? 'Export' : 'Import'}</strong>
      <span class="tag">${stateTexts[state]}${percentOf(operation)}</span>
      <p class="hint">
        started ${time(createdAt)} by
        ${users.get(createdBy) ?? 'a deleted user'}${errorCode === null ? undefined : html` · <code>${errorCode}</code>`}
      </p>
    </div>
    ${archiveLink(operation)}
  </li>`;
}

function percentOf({ state, progress }: OperationRow): string {
  if (!activeStates.has(state) || progress === null || progress.total === 0) return '';
  return ` ${Math.min(99, Math.floor((100 * progress.done) / progress.total))} %`;
}

/** The files of an export are deleted some time after it expires; they cannot be downloaded from then on. */
function archiveLink({ id, kind, state, createdAt, expiresAt }: OperationRow): Html | undefined {
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  if (kind !== 'export' || state !== 'complete' || hasExpired) return undefined;
  return html`<a class="button" href="/_cms/api/admin/transfer/exports/${id}/archive" download
    >Download<span class="unseen"> the export of ${time(createdAt)}</span></a
  >`;
}
