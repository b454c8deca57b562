import { Menu as AriaMenu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import type { ReactNode, RefObject } from 'react';
import styles from './menu.module.css';

/** An entry of a menu. */
export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Why it is disabled. */
  problem?: string | undefined;
  /** Whether it destroys something. */
  isDanger?: boolean;
}

/** A menu at an element, open while it is rendered; afterwards the focus returns to where it was. */
export function Menu({
  label,
  entries,
  anchor,
  onAction,
  onClose,
}: {
  label: string;
  entries: readonly MenuEntry[];
  anchor: RefObject<Element | null>;
  onAction: (id: string) => void;
  onClose: () => void;
}) {
  return (
    <Popover
      isOpen
      aria-label={label}
      triggerRef={anchor}
      placement="bottom end"
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles['popover'] ?? ''}
    >
      <AriaMenu
        autoFocus="first"
        aria-label={label}
        className={styles['menu'] ?? ''}
        disabledKeys={entries.filter(({ problem }) => problem !== undefined).map(({ id }) => id)}
        onAction={(id) => onAction(String(id))}
        onClose={onClose}
      >
        {entries.map(({ id, label: text, icon, problem, isDanger = false }) => (
          <MenuItem
            key={id}
            id={id}
            textValue={text}
            className={styles['item'] ?? ''}
            {...(isDanger && { 'data-danger': true })}
          >
            {icon}
            <span>
              <Text slot="label">{text}</Text>
              {problem !== undefined && (
                <Text slot="description" className={styles['problem'] ?? ''}>
                  {problem}
                </Text>
              )}
            </span>
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  );
}
