import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import classes from './permission-picker.module.css';
import { CHECKED_BY_SERVICE, isAllowed, KNOWN_PERMISSIONS } from './permissions.js';
import { useTenantText } from './text.js';
import { useTenant } from './tenant.js';

/** Permissions as they are chosen: those that Service checks, ticked, and lines of others. */
export interface PermissionChoice {
  readonly ticked: readonly string[];
  readonly lines: string;
}

function furtherOf({ lines }: PermissionChoice): string[] {
  return lines.split(/[\s,]+/).filter((line) => line !== '');
}

export function permissionsOf(choice: PermissionChoice): string[] {
  return [...new Set([...choice.ticked, ...furtherOf(choice)])];
}

export function usePermissionChoice(
  permissions: readonly string[] = [],
): [PermissionChoice, (choice: PermissionChoice) => void] {
  return useState<PermissionChoice>(() => ({
    ticked: permissions.filter((permission) => KNOWN_PERMISSIONS.includes(permission)),
    lines: permissions.filter((permission) => !KNOWN_PERMISSIONS.includes(permission)).join('\n'),
  }));
}

interface PermissionPickerProps {
  readonly choice: PermissionChoice;
  readonly onChange: (choice: PermissionChoice) => void;
  /** What the service says of what was chosen. */
  readonly problem?: string | undefined;
}

/** Chooses permissions to grant, among those that the person holds. */
export function PermissionPicker({ choice, onChange, problem }: PermissionPickerProps): ReactNode {
  const t = useTenantText();
  const { may } = useTenant();
  const { ticked } = choice;
  const further = furtherOf(choice);
  const chosen = [...ticked, ...further];
  const boxOf = (permission: string, action: string): ReactNode => {
    const isCovered = isAllowed(further, permission);
    return (
      <Checkbox
        key={permission}
        size="xs"
        label={action}
        aria-label={permission}
        checked={isCovered || ticked.includes(permission)}
        disabled={isCovered || !may(permission)}
        onChange={({ currentTarget }) => {
          onChange({
            ...choice,
            ticked: currentTarget.checked
              ? [...ticked, permission]
              : ticked.filter((other) => other !== permission),
          });
        }}
      />
    );
  };
  return (
    <Stack gap="md" role="group" aria-label={t('permissions')}>
      <div className={classes.resources}>
        {Object.entries(CHECKED_BY_SERVICE).map(([resource, actions]) => (
          <fieldset key={resource} className={classes.resource}>
            <legend>{resource}</legend>
            <Stack gap={6}>{actions.map((action) => boxOf(`${resource}:${action}`, action))}</Stack>
          </fieldset>
        ))}
      </div>
      {isAllowed(chosen, 'jobs:jobs:trigger') && !isAllowed(chosen, 'jobs:jobs:read') && (
        <Text size="xs" c="dimmed" role="status">
          {t('triggerNeedsRead')}
        </Text>
      )}
      {!KNOWN_PERMISSIONS.every(may) && (
        <Text size="xs" c="dimmed">
          {t('notHeld')}
        </Text>
      )}
      <Textarea
        label={t('further')}
        description={t('furtherHint')}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={choice.lines}
        error={problem}
        onChange={({ currentTarget }) => {
          onChange({ ...choice, lines: currentTarget.value });
        }}
      />
    </Stack>
  );
}
