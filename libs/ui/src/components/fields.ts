import { html, type Html } from '../html/html.js';

/** Hidden fields of a form; those without a value are omitted. */
export function hiddenFields(fields: Record<string, string | undefined>): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  );
}

/** Options of a text field. */
export interface TextField {
  name: string;
  /** Required when several fields of a page have the same name; the name by default. */
  id?: string;
  label: string;
  type?: 'text' | 'email';
  value?: string | undefined;
  autocomplete?: string;
  placeholder?: string;
  hint?: string;
  maxLength?: number;
  isRequired?: boolean;
  isOptional?: boolean;
  /** Whether the page's error message concerns this field. */
  isWrong?: boolean;
  /** Whether the field has the initial focus. */
  isFirst?: boolean;
}

/** A labelled text field. */
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
    maxLength = 300,
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
      maxlength="${String(maxLength)}"
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
 * A button that a script enables and makes the form's default button; without a script it stays hidden.
 * @param options.hasAlternative whether the form has another submit button, the default one without the script
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
