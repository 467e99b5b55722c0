"""`python -m arctag`."""

from arctag.cli import main

if __name__ == "__main__":
    main()
