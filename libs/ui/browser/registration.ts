import { post } from './api.js';
import { onPasskeyButton } from './form.js';
import { createPasskey } from './passkeys.js';
import { withRecentSignIn } from './reauthentication.js';

// Forms that make a passkey say where it begins and ends, and what comes next.
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-start]')) {
  const { start = '', finish = '', next = '' } = form.dataset;
  onPasskeyButton(form, async (fields) => {
    const { options } = await withRecentSignIn(() =>
      post<{ options: PublicKeyCredentialCreationOptionsJSON }>(start, fields),
    );
    await post(finish, { ...fields, credential: await createPasskey(options) });
    return next;
  });
}
