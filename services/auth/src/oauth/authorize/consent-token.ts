import { FormToken } from '../../html/index.js';

/** The token of consent pages' forms. */
export const consentToken = new FormToken('cms_oauth_csrf', '/_cms/oauth/authorize');
