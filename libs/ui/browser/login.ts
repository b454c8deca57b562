import { post } from './api.js';
import { onPasskeyButton } from './form.js';
import { usePasskey } from './passkeys.js';

const form = document.querySelector<HTMLFormElement>('form[data-login]');
if (form) {
  onPasskeyButton(form, async ({ email }) => {
    const body = email === undefined ? {} : { email };
    const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(
      '/_cms/api/auth/passkey/options',
      body,
    );
    await post('/_cms/api/auth/passkey/verify', { credential: await usePasskey(options) });
    return form.dataset['next'] ?? '/_cms/admin';
  });
}
