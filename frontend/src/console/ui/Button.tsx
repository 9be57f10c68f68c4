import type { ButtonHTMLAttributes, MouseEvent } from 'react';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'secondary' | 'danger' | 'ghost';
  size?: 'normal' | 'small';
  /** Its act is under way: it keeps the focus, says so, and does nothing when pressed again. */
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
