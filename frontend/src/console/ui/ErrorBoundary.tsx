import { Component, type MouseEvent, type ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { adminApi } from '../api/adminApi';
import { Button } from './Button';

interface Props {
  children: ReactNode;
}

/**
 * Keeps what breaks while it is rendered from taking the rest of the console down. React logs the error.
 * Give it a `key`: another section or tab then starts over.
 */
export function ErrorBoundary({ children }: Props) {
  const dispatch = useDispatch();
  // An answer that was kept may be what broke it.
  const forget = () => dispatch(adminApi.util.resetApiState());
  return <Boundary onRetry={forget}>{children}</Boundary>;
}

interface BoundaryProps extends Props {
  onRetry: () => void;
}

class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  tryAgain = ({ currentTarget }: MouseEvent) => {
    // The button is about to go, and must not take the focus with it.
    currentTarget.closest<HTMLElement>('[role=tabpanel], main')?.focus({ preventScroll: true });
    this.props.onRetry();
    this.setState({ failed: false });
  };

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="failed" role="alert">
        <p>Something went wrong in this part of the page. Try again, or go to another part.</p>
        <Button onClick={this.tryAgain}>Try again</Button>
      </div>
    );
  }
}
