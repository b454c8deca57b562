import { CsrfToken, pagePaths } from '@quire/ui';

/** The token of the consent page's form. */
export const consentCsrfToken = new CsrfToken('cms_oauth_csrf', pagePaths.consent);
