import { html, notice, problem, renderAdminPage, withoutScript, type Html } from '@quire/ui';
import { approvalRow } from './approval-row.js';
import { operationRow } from './operation-row.js';
import type { TransferPageData } from './read-transfer-page.js';

/** Renders the page: pending requests with their decisions, and the latest exports and imports. */
export function transferPage(page: TransferPageData & { csrf: string; notice: string | undefined }): string {
  const { site, user, csrf, signsInHere } = page;
  const content = html`${problem()} ${page.notice === undefined ? undefined : notice(page.notice)}
  ${approvalSection(page)} ${operationSection(page)}`;
  return renderAdminPage({
    title: 'Transfer',
    content,
    site,
    user,
    csrf,
    canSignOut: signsInHere,
    script: 'approvals.js',
  });
}

function approvalSection({ approvals, signsInHere }: TransferPageData): Html {
  return html`<section class="card" aria-labelledby="approvals">
    <h2 id="approvals">Approval requests</h2>
    ${
      approvals.length === 0
        ? html`<p class="hint">No request is pending.</p>`
        : html`<ul class="rows">
              ${approvals.map((approval) => approvalRow(approval, signsInHere))}
            </ul>
            ${withoutScript('Approving and denying requests needs JavaScript.')}`
    }
  </section>`;
}

function operationSection({ operations, users }: TransferPageData): Html {
  return html`<section class="card" aria-labelledby="operations">
    <h2 id="operations">Exports and imports</h2>
    ${
      operations.length === 0
        ? html`<p class="hint">The site has not been exported, and nothing has been imported.</p>`
        : html`<ul class="rows">
            ${operations.map((operation) => operationRow(operation, users))}
          </ul>`
    }
  </section>`;
}
