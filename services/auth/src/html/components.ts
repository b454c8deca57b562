import { html, page, type Html, type Page } from '@quire/http-server';
import { currentAssetsPath, type ScriptName } from './assets.js';

/** Renders a page with the current assets. */
export function renderPage(options: Omit<Page, 'assets' | 'script'> & { script?: ScriptName }): string {
  return page({ ...options, assets: currentAssetsPath() });
}

/** What went wrong, where browsers read it out at once. Scripts put theirs into the same place. */
export function problem(text?: string): Html {
  return html`<p class="note problem" role="alert" data-problem>${text}</p>`;
}

/** What has been done. */
export function notice(text: string): Html {
  return html`<p class="note done" role="status">${text}</p>`;
}

/** What stands in place of a button that needs a script. */
export function withoutScript(text: string): Html {
  return html`<noscript><p class="note">${text}</p></noscript>`;
}

/** Fields of a form that are not seen; those without a value are left out. */
export function hiddenFields(fields: Record<string, string | undefined>): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  );
}

export interface TextField {
  name: string;
  /** Where several fields of a page have the same name; else the name. */
  id?: string;
  label: string;
  type?: 'text' | 'email';
  value?: string | undefined;
  autocomplete?: string;
  placeholder?: string;
  hint?: string;
  maximum?: number;
  isRequired?: boolean;
  isOptional?: boolean;
  /** Whether what was typed is what the page's problem is about. */
  isWrong?: boolean;
  /** Whether typing begins here. */
  isFirst?: boolean;
}

/** A labelled field. */
export function textField(field: TextField): Html {
  const {
    name,
    id = name,
    label,
    type = 'text',
    value,
    autocomplete = 'off',
    placeholder,
    hint,
    maximum = 300,
  } = field;
  const hintId = `${id}-hint`;
  return html`<div class="field">
    <label for="${id}"
      >${label}${field.isOptional ? html` <span class="hint">optional</span>` : undefined}</label
    >
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value ?? ''}"
      autocomplete="${autocomplete}"
      maxlength="${String(maximum)}"
      ${placeholder === undefined ? undefined : html`placeholder="${placeholder}"`}
      ${hint === undefined ? undefined : html`aria-describedby="${hintId}"`}
      ${type === 'email' ? html`spellcheck="false" autocapitalize="none"` : undefined}
      ${field.isRequired ? html`required` : undefined}
      ${field.isWrong ? html`aria-invalid="true"` : undefined}
      ${field.isFirst ? html`autofocus` : undefined}
    />
    ${hint === undefined ? undefined : html`<p class="hint" id="${hintId}">${hint}</p>`}
  </div>`;
}

/**
 * A button that a script brings to life, and makes the one that Enter presses; without a script it is not there.
 * @param hasAlternative whether Enter presses another button then, instead of none
 */
export function passkeyButton(label: string, { hasAlternative = false } = {}): Html {
  const type = hasAlternative ? 'button' : 'submit';
  return html`<button type="${type}" class="main" data-passkey disabled hidden>
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" class="key">
      <path
        d="M14.5 3a6.5 6.5 0 0 0-6.2 8.4L3 16.7V21h4.3v-2.3h2.3v-2.3h2.2l.9-.9A6.5 6.5 0 1 0 14.5 3Zm2 6.2a1.7 1.7 0 1 1 0-3.4 1.7 1.7 0 0 1 0 3.4Z"
      />
    </svg>
    <span>${label}</span>
  </button>`;
}
