import { html, type Html } from '@quire/ui';
import type { ApprovalResponse } from '../approvals/index.js';
import { time } from './times.js';

/**
 * A pending request with its buttons, which the page's script enables.
 * @param hasPasskeys whether a user with an old sign-in can use a passkey
 */
export function approvalRow(approval: ApprovalResponse, hasPasskeys: boolean): Html {
  const { id, action, requestedBy, tokenName, expiresAt } = approval;
  const requester = requestedBy.name ?? 'a deleted user';
  const subject = `the ${action} that ${requester} requests`;
  return html`<li>
    <div>
      <strong>${titleOf(approval)}</strong>
      <p class="hint">${consequences[action]}</p>
      <dl class="facts">
        ${fact('User', requester)} ${fact('Token', tokenName ?? 'without a name')}
        ${digest('Package', approval.packageDigest)} ${digest('Plan', approval.planDigest)}
        ${fact('Expires', html`<span class="countdown" data-seconds-left="${secondsUntil(expiresAt)}">${time(expiresAt)}</span>`)}
      </dl>
      <form class="actions" data-approval="${id}" ${hasPasskeys ? html`data-passkeys` : undefined}>
        <button class="main" value="approve" disabled>Approve<span class="unseen"> ${subject}</span></button>
        <button value="deny" disabled>Deny<span class="unseen"> ${subject}</span></button>
      </form>
    </div>
  </li>`;
}

const consequences = {
  export: 'The package has all content, also drafts, and mail addresses of users.',
  import: 'The package becomes the content of this site. Other changes are rejected until the import ends.',
} as const;

function titleOf({ action, options }: ApprovalResponse): string {
  if (action === 'import') return 'Import of a package';
  return `Export of the site ${options.comments === false ? 'without' : 'with'} comments`;
}

function fact(name: string, value: string | Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function digest(name: string, value: string | null): Html | undefined {
  return value === null ? undefined : fact(name, html`<code>${value}</code>`);
}

function secondsUntil(iso: string): string {
  return String(Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / 1000)));
}
