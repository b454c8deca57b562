import { createRoot } from 'react-dom/client';
import '@quire/theme/tokens.css';
import '@quire/theme/mark.css';
import './ui/base.css';
import { App } from './app/app.js';
import { applyTheme, watchPreferences } from './preferences/preferences-store.js';

applyTheme();
watchPreferences();
const root = document.getElementById('panel');
if (!root) throw new Error('The page has no element for the panel');
createRoot(root).render(<App />);
