import { Problem } from './api.js';
import { passkeyUnavailableReason } from './passkeys.js';
import { signWithOwnPasskey } from './reauthentication.js';

// A decision that grants sensitive scopes is submitted with a passkey assertion.
const form = document.querySelector<HTMLFormElement>('form[data-confirm]');
const problemElement = document.querySelector<HTMLElement>('[data-problem]');
const field = form?.querySelector<HTMLInputElement>('input[name="credential"]');
if (form && problemElement && field) {
  form.addEventListener('submit', (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    if (button?.value !== 'approve' || field.value !== '' || !grantsSensitiveScopes(form)) return;
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    problemElement.textContent = '';
    sign(field)
      .then(() => form.requestSubmit(button))
      .catch((error: unknown) => {
        problemElement.textContent =
          error instanceof Problem ? error.message : 'This did not work. Try again.';
      })
      .finally(() => button.removeAttribute('aria-disabled'));
  });
  // An assertion is valid once, so a page from the browser's history needs a new one.
  window.addEventListener('pageshow', () => (field.value = ''));
}

function grantsSensitiveScopes(form: HTMLFormElement): boolean {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[data-powerful]')];
  return inputs.some(({ type, checked }) => type !== 'checkbox' || checked);
}

async function sign(field: HTMLInputElement): Promise<void> {
  const reason = passkeyUnavailableReason();
  if (reason !== undefined) throw new Problem(reason);
  field.value = JSON.stringify(await signWithOwnPasskey());
}
