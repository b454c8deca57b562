import { post } from './api.js';
import { onPasskeyButton } from './form.js';
import { createPasskey } from './passkeys.js';
import { withRecentSignIn } from './reauthentication.js';

// The form's data attributes have the API paths of both steps and the path of the next page.
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
