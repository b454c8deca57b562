import { can, roleNamed } from '@quire/permissions';
import {
  hiddenFields,
  html,
  notice,
  pagePaths,
  passkeyButton,
  problem,
  renderAdminPage,
  textField,
  withoutScript,
  type Html,
} from '@quire/ui';
import { maxPasskeys, type OwnPasskey } from '../passkeys/index.js';
import { browserName, type Me, type OwnSession } from '../sessions/index.js';

/** The data of the page. */
export interface AccountPage {
  csrf: string;
  site: string;
  me: Me;
  passkeys: readonly OwnPasskey[];
  sessions: readonly OwnSession[];
  /** Whether this service signs users in, not an edge access proxy. */
  signsInHere: boolean;
  problem?: string;
  notice?: string;
}

/** Renders the start page of a signed-in user: their account, passkeys and sessions. */
export function accountPage(account: AccountPage): string {
  const { csrf, site, me, passkeys, sessions, signsInHere } = account;
  const content = html`${problem(account.problem)}
    ${account.notice === undefined ? undefined : notice(account.notice)}
    <section class="card" aria-labelledby="account">
      <h2 id="account">Your account</h2>
      <dl class="facts">
        ${fact('Name', me.name)} ${fact('E-mail', me.email)} ${fact('Role', roleText(me.role))}
      </dl>
      ${can({ userId: null, role: me.role }, 'content:read_drafts') ? panelLink : undefined}
    </section>
    ${can({ userId: null, role: me.role }, 'transfer:export') ? settingsSection : undefined}
    ${signsInHere ? passkeySection(passkeys, csrf) : undefined} ${sessionSection(sessions, csrf)}`;
  const title = me.name === null ? 'Welcome' : `Welcome, ${me.name}`;
  const bar = { site, user: me.email, csrf, canSignOut: signsInHere };
  return renderAdminPage({ title, content, ...bar, script: signsInHere ? 'registration.js' : undefined });
}

const panelLink = html`<p class="actions">
  <a class="button" href="${pagePaths.panel}">Open the admin panel</a>
</p>`;

const settingsSection = html`<nav class="card" aria-labelledby="settings">
  <h2 id="settings">Settings</h2>
  <p class="hint"><a href="${pagePaths.transfer}">Transfer</a>: approval requests, exports and imports</p>
</nav>`;

function fact(name: string, value: string | null): Html | undefined {
  if (value === null) return undefined;
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function roleText(role: number): string {
  const name = roleNamed(role) ?? '';
  return name.charAt(0) + name.slice(1).toLowerCase();
}

function passkeySection(passkeys: readonly OwnPasskey[], csrf: string): Html {
  return html`<section class="card" aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    ${
      passkeys.length === 0
        ? html`<p>No passkeys registered</p>`
        : html`<ul class="rows">
            ${passkeys.map((passkey) => passkeyRow(passkey, { csrf, isLast: passkeys.length === 1 }))}
          </ul>`
    }
    ${
      passkeys.length >= maxPasskeys
        ? html`<p class="hint">You have the maximum number of passkeys.</p>`
        : addPasskeyForm
    }
  </section>`;
}

const addPasskeyForm = html`<form
  class="inline"
  method="post"
  data-start="/_cms/api/auth/passkey/register/options"
  data-finish="/_cms/api/auth/passkey/register/verify"
  data-next="${pagePaths.home}?done=passkey-added"
>
  ${textField({ name: 'name', label: 'Name of a new passkey', maxLength: 100, isOptional: true })}
  ${passkeyButton('Add a passkey')} ${withoutScript('Adding a passkey needs JavaScript.')}
</form>`;

function passkeyRow(
  { id, name, createdAt, lastUsedAt, backedUp }: OwnPasskey,
  { csrf, isLast }: { csrf: string; isLast: boolean },
): Html {
  const shown = name ?? 'Unnamed passkey';
  return html`<li>
    <div>
      <strong>${shown}</strong>
      <p class="hint">
        ${backedUp ? 'Synchronised' : 'On one device'} · created ${day(createdAt)} · last used
        ${moment(lastUsedAt)}
      </p>
    </div>
    <div class="row-actions">
      <details>
        <summary>Rename<span class="unseen"> ${shown}</span></summary>
        <form method="post" action="${pagePaths.home}">
          ${hiddenFields({ csrf, id })}
          <div class="field">
            <label for="name-${id}">New name</label>
            <input
              id="name-${id}"
              name="name"
              value="${name ?? ''}"
              maxlength="100"
              autocomplete="off"
              required
            />
          </div>
          <button name="action" value="rename-passkey">Save</button>
        </form>
      </details>
      ${
        isLast
          ? undefined
          : html`<details>
              <summary>Remove<span class="unseen"> ${shown}</span></summary>
              <form method="post" action="${pagePaths.home}">
                ${hiddenFields({ csrf, id })}
                <p>You can no longer sign in with it, and your other sessions end.</p>
                <button class="danger" name="action" value="remove-passkey">Remove this passkey</button>
              </form>
            </details>`
      }
    </div>
  </li>`;
}

function sessionSection(sessions: readonly OwnSession[], csrf: string): Html {
  return html`<section class="card" aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="rows">
      ${sessions.map((session) => sessionRow(session, csrf))}
    </ul>
  </section>`;
}

function sessionRow({ id, userAgent, clientAddress, lastSeenAt, isCurrent }: OwnSession, csrf: string): Html {
  const browser = browserName(userAgent);
  return html`<li>
    <div>
      <strong>${browser}</strong>${isCurrent ? html` <span class="tag">This browser</span>` : undefined}
      <p class="hint">
        ${clientAddress === null ? undefined : html`${clientAddress} · `}last seen ${moment(lastSeenAt)}
      </p>
    </div>
    ${
      isCurrent
        ? undefined
        : html`<form method="post" action="${pagePaths.home}">
            ${hiddenFields({ csrf, id })}
            <button name="action" value="end-session">
              End<span class="unseen"> the session of ${browser}</span>
            </button>
          </form>`
    }
  </li>`;
}

const date = { dateStyle: 'medium', timeZone: 'UTC' } as const;
const days = new Intl.DateTimeFormat('en-GB', date);
const moments = new Intl.DateTimeFormat('en-GB', { ...date, timeStyle: 'short' });

function day(iso: string): Html {
  return html`<time datetime="${iso}">${days.format(new Date(iso))}</time>`;
}

function moment(iso: string): Html {
  return html`<time datetime="${iso}">${moments.format(new Date(iso))} UTC</time>`;
}
