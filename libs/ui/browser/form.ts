import { Problem } from './api.js';
import { passkeyUnavailableReason } from './passkeys.js';

/**
 * Enables the passkey button of a form. Submitting the form with that button runs `work`; the button is inactive while
 * it runs, and errors are shown in the page.
 * @param work receives the non-empty fields and returns the path of the next page
 */
export function onPasskeyButton(
  form: HTMLFormElement,
  work: (fields: Record<string, string>) => Promise<string>,
): void {
  const button = form.querySelector<HTMLButtonElement>('[data-passkey]');
  const problemElement = document.querySelector<HTMLElement>('[data-problem]');
  if (!button || !problemElement) return;
  button.hidden = false;
  const reason = passkeyUnavailableReason();
  if (reason !== undefined) {
    problemElement.textContent = reason;
    return;
  }
  button.disabled = false;
  button.type = 'submit';
  form.addEventListener('submit', (event) => {
    if (event.submitter && event.submitter !== button) return;
    event.preventDefault();
    void run(button, problemElement, () => work(filledFields(form)));
  });
}

async function run(
  button: HTMLButtonElement,
  problemElement: HTMLElement,
  work: () => Promise<string>,
): Promise<void> {
  if (button.getAttribute('aria-disabled') === 'true') return;
  // A disabled button would lose the focus.
  button.setAttribute('aria-disabled', 'true');
  problemElement.textContent = '';
  try {
    location.assign(await work());
  } catch (error) {
    problemElement.textContent = error instanceof Problem ? error.message : 'This did not work. Try again.';
    button.removeAttribute('aria-disabled');
  }
}

function filledFields(form: HTMLFormElement): Record<string, string> {
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1].trim() !== '',
  );
  return Object.fromEntries(fields);
}
