import type { ButtonHTMLAttributes, MouseEvent } from 'react';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'secondary' | 'danger' | 'ghost';
  size?: 'normal' | 'small';
  /** Its action is running: it keeps the focus, shows that, and ignores further presses. */
  busy?: boolean | undefined;
}

export function Button(props: Props) {
  const { variant = 'secondary', size = 'normal', busy = false, onClick, ...rest } = props;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      className="btn"
      data-variant={variant}
      data-size={size}
      aria-disabled={busy || undefined}
      onClick={press}
      {...rest}
    />
  );
}
