import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
  onError: () => void;
}

/** The provider's script throws while its form is built, when it does not take what it was given. */
export class SetupBoundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch() {
    this.props.onError();
  }

  override render() {
    return this.state.broken ? null : this.props.children;
  }
}
