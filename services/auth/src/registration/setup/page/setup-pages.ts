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

/** Content of the first step. */
interface SiteStep {
  csrf: string;
  problem?: string;
  title?: string;
  tagline?: string;
  /** The optional sample content; null for a seed without entries. */
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
        hint: 'A short description of the site.',
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

/** Content of the second step. */
interface AccountStep {
  csrf: string;
  problem?: string | undefined;
  /** Values of the fields after a failed attempt, by name. */
  entered?: Readonly<Record<string, string>>;
  offers: readonly LoginOption[];
}

/** The second step of the setup: the first user, with a passkey or an account at a login provider. */
export function accountStepPage({ csrf, problem: wrong, entered = {}, offers }: AccountStep): string {
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
        value: entered['email'],
        autocomplete: 'email',
        isRequired: true,
        isWrong: wrong !== undefined,
        isFirst: true,
      })}
      ${textField({
        name: 'name',
        label: 'Name',
        value: entered['name'],
        autocomplete: 'name',
        maxLength: 200,
        isOptional: true,
      })}
      <div class="actions stacked">${passkeyButton('Create a passkey and finish')}</div>
      ${withoutScript('Creating a passkey needs JavaScript: turn it on and reload this page.')}
      ${providerButtons(offers, entered)}
    </form>
    <p class="aside"><a href="${pagePaths.setup}?step=site">Back to the site</a></p>`;
  return renderPage({ title: 'Create your account', content, script: 'registration.js' });
}

/** The page for visitors without the setup link. @param isWrong whether their link is invalid */
export function linkNeededPage({ isWrong }: { isWrong: boolean }): string {
  const content = html`${
      isWrong
        ? html`<p>This setup link is unknown, or a newer one replaced it.</p>`
        : html`<p>
            This site has no users yet. Open the setup link that was printed when the site was created.
          </p>`
    }
    <p class="fine">Operators can print a new link: <code>cms setup-link</code></p>`;
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
