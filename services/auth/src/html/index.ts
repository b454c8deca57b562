export type { ScriptName } from './assets.js';
export { AssetsController } from './assets.controller.js';
export { CsrfToken } from './csrf-token.js';
export {
  hiddenFields,
  notice,
  renderPage,
  passkeyButton,
  problem,
  textField,
  withoutScript,
  type TextField,
} from './components.js';
