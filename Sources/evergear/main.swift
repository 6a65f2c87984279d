import EvergearCLI

Program.main()
