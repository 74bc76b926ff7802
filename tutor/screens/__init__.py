"""One module a screen: BEATS, columns(view), render(view) and facts(view), pure functions of one View."""
