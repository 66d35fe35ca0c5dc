import { Component, type ReactNode } from 'react'
import { Trouble } from '../parts/trouble.tsx'

/** Which screen, and where it is shown. */
export interface ScreenGuardProps {
  /** Where the user is: what failed in one place is tried again in another. */
  readonly place: string
  readonly children: ReactNode
}

/** Keeps the rest of the app alive where a screen cannot be shown, says so in its place, and lets it be tried again. */
export class ScreenGuard extends Component<ScreenGuardProps, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override state = { hasFailed: false }

  override componentDidUpdate({ place }: ScreenGuardProps) {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div className="centered">
        {/* What could not be loaded is only asked for again by a page that begins anew; drafts are kept. */}
        <Trouble error={null} onRetry={() => location.reload()} />
      </div>
    )
  }
}
