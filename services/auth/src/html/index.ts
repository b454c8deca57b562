export type { ScriptName } from './assets.js';
export { AssetsController } from './assets.controller.js';
export { FormToken } from './form-token.js';
export {
  hiddenFields,
  notice,
  ownPage,
  passkeyButton,
  problem,
  textField,
  withoutScript,
  type TextField,
} from './parts.js';
