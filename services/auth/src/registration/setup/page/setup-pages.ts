import {
  hiddenFields,
  html,
  pagePaths,
  passkeyButton,
  problem,
  renderPage,
  textField,
  withoutScript,
  type Html,
} from '@quire/ui';
import { providerButtons, type LoginOption } from '../../../authentication/external-providers/index.js';

const steps = ['Your site', 'Your account'];

export interface SiteStep {
  csrf: string;
  problem?: string;
  title?: string;
  tagline?: string;
  /** The sample content that the site can start with; null where there is none. */
  sample: { description: string } | null;
}

/** The first step of the setup: title and tagline of the site. */
export function siteStepPage({ csrf, problem: wrong, title, tagline, sample }: SiteStep): string {
  const content = html`${progress(0)} ${problem(wrong)}
    <form method="post" action="${pagePaths.setup}">
      ${hiddenFields({ csrf })}
      ${textField({
        name: 'title',
        label: 'Title of the site',
        value: title,
        maxLength: 200,
        isRequired: true,
        isWrong: wrong !== undefined,
        isFirst: true,
      })}
      ${textField({
        name: 'tagline',
        label: 'Tagline',
        value: tagline,
        maxLength: 500,
        hint: 'A few words on what the site is about.',
        isOptional: true,
      })}
      ${sample ? sampleBox(sample.description) : undefined}
      <div class="actions stacked"><button class="main">Continue</button></div>
    </form>`;
  return renderPage({ title: 'Set up your site', content });
}

function sampleBox(description: string): Html {
  return html`<label class="check">
    <input type="checkbox" name="includeContent" value="on" checked />
    <span>Include sample content: ${description}</span>
  </label>`;
}

export interface AccountStep {
  csrf: string;
  problem?: string | undefined;
  /** Values of the fields after a failed attempt, by name. */
  typed?: Readonly<Record<string, string>>;
  offers: readonly LoginOption[];
}

/** The second step: the first user, with a passkey or with an account at a login provider. */
export function accountStepPage({ csrf, problem: wrong, typed = {}, offers }: AccountStep): string {
  const content = html`${progress(1)} ${problem(wrong)}
    <p>
      You will be the administrator. You sign in with a passkey: your fingerprint, your face or the lock of
      your device, instead of a password.
    </p>
    <form
      method="post"
      action="${pagePaths.setupAccount}"
      data-start="/_cms/api/setup/admin"
      data-finish="/_cms/api/setup/admin/verify"
      data-next="${pagePaths.home}"
    >
      ${hiddenFields({ csrf })}
      ${textField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        value: typed['email'],
        autocomplete: 'email',
        isRequired: true,
        isWrong: wrong !== undefined,
        isFirst: true,
      })}
      ${textField({
        name: 'name',
        label: 'Name',
        value: typed['name'],
        autocomplete: 'name',
        maxLength: 200,
        isOptional: true,
      })}
      <div class="actions stacked">${passkeyButton('Make a passkey and finish')}</div>
      ${withoutScript('Making a passkey needs JavaScript: turn it on and reload this page.')}
      ${providerButtons(offers, typed)}
    </form>
    <p class="aside"><a href="${pagePaths.setup}?step=site">Back to the site</a></p>`;
  return renderPage({ title: 'Make your account', content, script: 'registration.js' });
}

/** The page for visitors without the setup link. @param isWrong whether they came with an invalid one */
export function linkNeededPage({ isWrong }: { isWrong: boolean }): string {
  const content = html`${
      isWrong
        ? html`<p>This setup link is unknown, or a newer one replaced it.</p>`
        : html`<p>
            This site waits for its first user. Open the setup link that was printed when it was made.
          </p>`
    }
    <p class="fine">Operators print a new one: <code>cms setup-link</code></p>`;
  return renderPage({ title: 'This site is not set up yet', content });
}

function progress(current: number): Html {
  const items = steps.map((step, index) =>
    index === current ? html`<li aria-current="step">${step}</li>` : html`<li>${step}</li>`,
  );
  return html`<ol class="steps" aria-label="Steps of the setup">
    ${items}
  </ol>`;
}
