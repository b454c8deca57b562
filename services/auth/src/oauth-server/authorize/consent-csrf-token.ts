import { CsrfToken } from '../../html/index.js';

/** The token of consent pages' forms. */
export const consentCsrfToken = new CsrfToken('cms_oauth_csrf', '/_cms/oauth/authorize');
