export { currentAssetsPath, readAssets, type Asset, type Assets, type ScriptName } from './assets/assets.js';
export { hiddenFields, passkeyButton, textField, type TextField } from './components/fields.js';
export { notice, problem, withoutScript } from './components/notes.js';
export { assertCsrfToken, CsrfToken, csrfToken } from './forms/csrf-token.js';
export { html, Html } from './html/html.js';
export { renderAdminPage, type AdminPage } from './layout/admin-page.js';
export { renderErrorPage } from './layout/error-page.js';
export { pageHeaders } from './layout/page-headers.js';
export { renderPage, type Page } from './layout/page.js';
export { pageOperation } from './routes/page-operation.js';
export {
  assetsPath,
  isPagePath,
  loginPath,
  pagePaths,
  pagesPrefix,
  reauthenticationPath,
} from './routes/page-paths.js';
export { redirectTo } from './routes/redirect-to.js';
