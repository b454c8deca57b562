import { post, Problem } from './api.js';
import { withRecentSignIn } from './reauthentication.js';

const problemElement = document.querySelector<HTMLElement>('[data-problem]');
const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-approval]')];
for (const form of forms) {
  const buttons = [...form.querySelectorAll('button')];
  for (const button of buttons) button.disabled = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { value = '' } = (event.submitter as HTMLButtonElement | null) ?? {};
    if (buttons.some((button) => button.getAttribute('aria-disabled') === 'true')) return;
    void decide(form, buttons, value === 'approve' ? 'approve' : 'deny');
  });
  startCountdown(form, buttons);
}

/** Sends the decision, and shows the page again with its result. Errors are shown in the page. */
async function decide(
  form: HTMLFormElement,
  buttons: readonly HTMLButtonElement[],
  decision: 'approve' | 'deny',
): Promise<void> {
  const path = `/_cms/api/admin/transfer/approvals/${form.dataset['approval'] ?? ''}/${decision}`;
  const send = () => post(path, {});
  if (problemElement) problemElement.textContent = '';
  setBusy(buttons, true);
  try {
    // An edge access proxy signs users in where the page has no passkeys.
    await (form.dataset['passkeys'] === undefined ? send() : withRecentSignIn(send));
    location.assign(`?done=${decision === 'approve' ? 'approved' : 'denied'}`);
  } catch (error) {
    setBusy(buttons, false);
    const message = error instanceof Problem ? error.message : 'This did not work. Try again.';
    if (problemElement) {
      problemElement.textContent = message;
      problemElement.scrollIntoView({ block: 'nearest' });
    }
  }
}

/** Buttons stay focusable while a request runs: a disabled button would lose the focus. */
function setBusy(buttons: readonly HTMLButtonElement[], isBusy: boolean): void {
  for (const button of buttons)
    if (isBusy) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
}

/**
 * Shows the time until the request expires, and disables its buttons then. The page has the remaining seconds, so the
 * clock of the device does not matter.
 */
function startCountdown(form: HTMLFormElement, buttons: readonly HTMLButtonElement[]): void {
  const element = form.closest('li')?.querySelector<HTMLElement>('[data-seconds-left]');
  if (!element) return;
  const end = performance.now() + Number(element.dataset['secondsLeft']) * 1000;
  const show = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    element.textContent = seconds > 0 ? `${minutesOf(seconds)} left` : 'expired';
    if (seconds > 0) return;
    clearInterval(timer);
    for (const button of buttons) button.disabled = true;
  };
  const timer = setInterval(show, 1000);
  show();
}

function minutesOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
