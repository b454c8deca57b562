import { Search, X } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Input, Label, SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import type { RefObject } from 'react';
import styles from './search-field.module.css';

/** A field for a search, which Escape empties. */
export function SearchField({
  label,
  clearLabel,
  value,
  onChange,
  inputRef,
  shortcut,
}: {
  label: string;
  clearLabel: string;
  value: string;
  onChange: (value: string) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
  /** The key that focuses it. */
  shortcut?: string | undefined;
}) {
  return (
    <AriaSearchField value={value} onChange={onChange} className={styles['search'] ?? ''}>
      <Label className="visually-hidden">{label}</Label>
      <Search aria-hidden size={16} />
      <Input
        ref={inputRef}
        placeholder={label}
        {...(shortcut !== undefined && { 'aria-keyshortcuts': shortcut })}
      />
      {value !== '' && (
        <Button aria-label={clearLabel} className={styles['clear'] ?? ''}>
          <X aria-hidden size={16} />
        </Button>
      )}
    </AriaSearchField>
  );
}
